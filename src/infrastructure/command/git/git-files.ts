import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { readForeignFileSync } from '../../state/foreign-file.js';

/** More than git itself writes into any of the files that are read here. */
export const MAX_GIT_FILE = 1024 * 1024;
const MAX_ENTRIES = 10_000;

/** The text of a regular file; undefined where there is none, or it is a pipe, a link or of any other kind or size. */
export function readRegularFile(path: string, maxBytes = MAX_GIT_FILE): string | undefined {
  // Most are not there, and an error costs ten times as much as a look.
  if (look(path)?.isFile() !== true) return undefined;
  const file = readForeignFileSync(path, { maxBytes, links: 'nowhere' });
  return file.kind === 'bytes' ? file.bytes.toString('utf8') : undefined;
}

/** What cannot be looked at is treated as absent: a sandbox can neither show nor protect it. */
export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function isFolder(path: string): boolean {
  return look(path)?.isDirectory() === true;
}

export function entriesIn(folder: string): readonly Dirent[] {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(folder, { withFileTypes: true }).slice(0, MAX_ENTRIES);
  } catch {
    // Gone meanwhile, or closed to the server.
    return [];
  }
}

export function foldersIn(folder: string): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
