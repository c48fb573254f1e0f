import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
} from 'node:fs';

/** More than git itself writes into any of the files that are read here. */
export const MAX_GIT_FILE = 1024 * 1024;
const MAX_ENTRIES = 10_000;

/**
 * The text of a regular file, or undefined: what commands and cloned repositories leave in a workspace may be a
 * pipe that never answers, a device or a file of any size.
 */
export function readRegularFile(path: string, maxBytes = MAX_GIT_FILE): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = fstatSync(descriptor);
    if (!fstatSync(descriptor).isFile() || size > maxBytes) return undefined;
    const buffer = Buffer.alloc(size);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, size, 0));
  } catch {
    // Missing, a link, or closed to the server: there is no text to judge.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
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
    return readdirSync(folder, { withFileTypes: true }).slice(0, MAX_ENTRIES);
  } catch {
    // Missing, no folder, or closed to the server.
    return [];
  }
}

export function foldersIn(folder: string): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
