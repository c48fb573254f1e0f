import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrno } from './errno.js';

/** Less than this is none: a record and the file system's own bookkeeping would not fit. */
const LEAST_BYTES = 64 * 1024;

/** Why nothing more can be written in a folder, or in the nearest one above that exists; undefined: there is room. */
export async function lackOfRoom(folder: string): Promise<string | undefined> {
  let disk: Awaited<ReturnType<typeof statfs>>;
  try {
    disk = await statfs(folder);
  } catch (error) {
    if (hasErrno(error, 'ENOENT') && dirname(folder) !== folder) return lackOfRoom(dirname(folder));
    // Whatever else is wrong with it is found by those who use it.
    return undefined;
  }
  const blocks = process.getuid?.() === 0 ? disk.bfree : disk.bavail;
  const left = blocks * disk.bsize;
  if (left < LEAST_BYTES) return `The disk of ${folder} is full: ${left} bytes are left.`;
  // Some file systems count no files and say 0 of 0.
  if (disk.files > 0 && disk.ffree === 0) return `The disk of ${folder} is full: it takes no further file.`;
  return undefined;
}
