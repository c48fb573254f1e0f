import {
  closeSync,
  constants,
  futimesSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { errnoOf } from '../../../../state/errno.js';

const O_PATH = 0o10000000;
/** Held, and no link. */
export const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** File systems without hard links. */
export const CANNOT_LINK = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

export function codeOf(error: unknown): string {
  return errnoOf(error) ?? '';
}

export function removeIfEmpty(folder: string): boolean {
  rmdirSync(folder);
  return true;
}

export function writeNew(path: string, bytes: Uint8Array | string, mode: number, mtimeMs?: number): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = openSync(path, flags, mode);
  try {
    writeFileSync(file, bytes);
    // A little more than that, or it would become the millisecond before.
    const seconds = ((mtimeMs ?? 0) + 0.01) / 1_000;
    if (mtimeMs !== undefined) futimesSync(file, seconds, seconds);
  } finally {
    closeSync(file);
  }
}

/** An empty folder in the way goes, as git does it. */
export function replace(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EISDIR' && codeOf(error) !== 'ENOTEMPTY') throw error;
    removeTree(to, false);
    renameSync(from, to);
  }
}

/** `gone`: with what lies in it; else only where there is nothing but folders. */
export function removeTree(folder: string, gone: boolean): void {
  const held = openSync(folder, FOLDER);
  const inside = `/proc/self/fd/${held}`;
  try {
    for (const entry of readdirSync(inside, { withFileTypes: true }))
      if (entry.isDirectory()) removeTree(`${inside}/${entry.name}`, gone);
      else if (gone) unlinkSync(`${inside}/${entry.name}`);
  } finally {
    closeSync(held);
  }
  rmdirSync(folder);
}
