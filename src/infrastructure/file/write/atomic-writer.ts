import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { errnoOf } from '../../state/errno.js';
import { FileFault } from '../file-fault.js';
import type { Held, Place } from '../locate/path-locator.js';
import type { DiskFlush } from './disk-flush.js';
import type { WriteJournal } from './write-journal.js';

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const SYNC_BYTES = 128 * 1024;
const CHUNK = 4 * 1024 * 1024;

/** Fills a new file that is not yet visible under its name; nothing to wait for where it was done at once. */
export type Fill = (descriptor: number) => Promise<void> | undefined;

/**
 * Puts a whole file under a name: a temporary file in the same folder, fsync, rename, fsync of the folder, all
 * through the folder that is held. Until the rename the old content stands; after it, the new.
 */
export class AtomicWriter {
  constructor(
    private readonly journal: WriteJournal,
    private readonly flush: DiskFlush,
  ) {}

  /** `exclusive` never replaces; `durable` false is for the many files of a tree, which one flush follows. */
  async replace(
    place: Place,
    { exclusive, durable, mode }: { exclusive: boolean; durable: boolean; mode?: number },
    fill: Fill,
  ): Promise<void> {
    const { parent, child } = place;
    if (child !== undefined) checkReplaceable(child, exclusive);
    const temporary = this.journal.temporaryIn(parent.real);
    try {
      const descriptor = openSync(parent.entry(temporary), NEW_FILE, mode ?? 0o666);
      try {
        const filling = fill(descriptor);
        if (filling !== undefined) await filling;
        const written = fstatSync(descriptor);
        if (child !== undefined) keepOwnerAndMode(descriptor, written, child.stats);
        const flushing = durable ? this.flush.file(descriptor, written.size) : undefined;
        if (flushing !== undefined) await flushing;
      } finally {
        closeSync(descriptor);
      }
      parent.confirm();
      if (exclusive) publishNew(parent, temporary, place.name);
      else renameSync(parent.entry(temporary), parent.entry(place.name));
    } catch (error) {
      discard(parent, temporary);
      throw error;
    }
    const flushing = durable ? this.flush.folder(parent) : undefined;
    if (flushing !== undefined) await flushing;
    child?.releaseLater();
  }

  /** In place, at the end: other writers' lines are never lost. A torn end is cut off by recovery. */
  async append(place: Place, descriptor: number, content: Uint8Array): Promise<void> {
    const { size, ino } = fstatSync(descriptor);
    const work = { path: place.real, inode: ino, size, length: content.length };
    await this.journal.appending(work, async () => {
      await writeAll(descriptor, content);
      await this.flush.file(descriptor, content.length);
    });
  }
}

/** A file system without hard links cannot publish exclusively; there a placeholder takes the name first. */
function publishNew(parent: Held, temporary: string, name: string): void {
  try {
    linkSync(parent.entry(temporary), parent.entry(name));
    unlinkSync(parent.entry(temporary));
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    closeSync(openSync(parent.entry(name), NEW_FILE, 0o600));
    renameSync(parent.entry(temporary), parent.entry(name));
  }
}

function checkReplaceable(child: Held, exclusive: boolean): void {
  if (exclusive) throw new FileFault('already-exists');
  if (child.stats.isDirectory()) throw new FileFault('is-a-directory');
  if (!child.stats.isFile()) throw new FileFault('special-file');
  // A rename would get round the protection of a file that the server may not write.
  accessSync(child.handle, constants.W_OK);
}

function keepOwnerAndMode(descriptor: number, { uid, gid, mode }: Stats, old: Stats): void {
  const given = uid !== old.uid || gid !== old.gid;
  if (given) tryChown(descriptor, old);
  // Giving a file away takes its set-user-id bits.
  if (given || mode !== old.mode) fchmodSync(descriptor, old.mode & 0o7777);
}

function tryChown(descriptor: number, old: Stats): void {
  try {
    fchownSync(descriptor, old.uid, old.gid);
  } catch (error) {
    // Only the superuser may give files away; the writer then owns the new one, as with any editor.
    if (errnoOf(error) !== 'EPERM') throw error;
  }
}

function discard(parent: Held, temporary: string): void {
  try {
    if (lstatSync(parent.entry(temporary)).isFile()) unlinkSync(parent.entry(temporary));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** The number of bytes written. */
export async function writePieces(descriptor: number, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) {
    await writeAll(descriptor, piece);
    bytes += piece.length;
  }
  return bytes;
}

/** What is short is written at once, and there is nothing to wait for. */
export function writeAll(descriptor: number, content: Uint8Array): Promise<void> | undefined {
  if (content.length > SYNC_BYTES) return writeChunks(descriptor, content);
  for (let at = 0; at < content.length; ) at += writeSync(descriptor, content, at);
  return undefined;
}

async function writeChunks(descriptor: number, content: Uint8Array): Promise<void> {
  for (let at = 0; at < content.length; ) {
    at += await writeChunk(descriptor, content, at, Math.min(CHUNK, content.length - at));
  }
}

function writeChunk(descriptor: number, content: Uint8Array, at: number, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, content, at, length, null, (error, count) => (error ? reject(error) : resolve(count)));
  });
}
