import { type Dirent, lstatSync, opendirSync, readdirSync, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errnoOf } from '../../state/errno.js';

const SLICE_MS = 12;
/** A folder whose own size is larger has very many entries and is read in pieces. */
const LARGE_BYTES = 256 * 1024;
const PIECE = 1_024;

/** Lets other work have its turn after every few milliseconds of this one. */
export class Slices {
  #started = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#started > SLICE_MS;
  }

  async pause(): Promise<void> {
    await nextTurn();
    this.#started = performance.now();
  }
}

/** The entries of a folder, a large one in several pieces. Throws what the system throws. */
export async function readEntries(
  path: string,
  bytes: number,
  slices: Slices,
  take: (entry: Dirent) => void,
): Promise<number> {
  if (bytes <= LARGE_BYTES) {
    const entries = readdirSync(path, { withFileTypes: true });
    for (const entry of entries) take(entry);
    return entries.length;
  }
  const folder = opendirSync(path, { bufferSize: PIECE });
  let count = 0;
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      take(entry);
      count += 1;
      if (count % PIECE === 0 && slices.isOver) await slices.pause();
    }
  } finally {
    folder.closeSync();
  }
  return count;
}

/** What a name stands for; undefined where it is gone. Throws where the folder above cannot be searched. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A component was exchanged for something else; whoever did that is told about by its own folder.
    if (errnoOf(error) === 'ENOTDIR' || errnoOf(error) === 'ELOOP') return undefined;
    throw error;
  }
}

/** `lookAt` for what is only compared: a path that cannot be looked at is not what it was. */
export function tryLookAt(path: string): Stats | undefined {
  try {
    return lookAt(path);
  } catch {
    // Closed to the server, or too long by now.
    return undefined;
  }
}
