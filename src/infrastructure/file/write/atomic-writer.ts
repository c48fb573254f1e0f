import { createHash, type Hash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
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
import { checkLanded, checkObject } from './landed-file.js';
import type { Staging } from './staging.js';
import type { WriteJournal } from './write-journal.js';

/** New files in such a directory belong to its group. */
const SET_GROUP = 0o2000;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const SYNC_BYTES = 128 * 1024;
const CHUNK = 4 * 1024 * 1024;

/**
 * Writes the content of a new file that has no name yet, and passes it to `hash`; returns undefined if it
 * finished synchronously.
 */
export type Fill = (descriptor: number, hash: Hash | undefined) => Promise<void> | undefined;

interface Replacement {
  /** True if an existing file must not be replaced. */
  readonly exclusive: boolean;
  /** False for the many files of a tree, which are flushed together and not read back. */
  readonly durable: boolean;
  readonly mode?: number;
}

/** A complete file that has no name of its own yet. */
interface Draft {
  readonly status: Stats;
  /** Only if it is read back. */
  readonly digest?: string;
}

/**
 * Writes a complete file under a name: a temporary file elsewhere (Staging), fsync, rename, fsync of the
 * directory, all through the held directory. Before the rename the old content is there; after it, the new.
 * The file is then read back: only that counts as success.
 */
export class AtomicWriter {
  constructor(
    private readonly journal: WriteJournal,
    private readonly flush: DiskFlush,
    private readonly staging: Staging,
  ) {}

  /** The digest of the written file; undefined if it was not read back. */
  async replace(place: Place, replacement: Replacement, fill: Fill): Promise<string | undefined> {
    const { parent, child } = place;
    if (child !== undefined) checkReplaceable(child, replacement.exclusive);
    const staged = this.staging.folderFor(parent);
    const digest =
      staged === undefined
        ? await this.#land(place, replacement, this.#beside(parent), fill)
        : await this.#landFrom(staged, place, replacement, fill);
    const flushing = replacement.durable ? this.flush.folder(parent) : undefined;
    if (flushing !== undefined) await flushing;
    child?.releaseLater();
    return digest;
  }

  async #landFrom(staged: string, place: Place, replacement: Replacement, fill: Fill) {
    const path = `${staged}/${this.journal.temporaryIn(staged)}`;
    try {
      return await this.#land(place, replacement, path, fill);
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') throw error;
      this.staging.cannotReach(place.parent);
      const copy: Fill = (file, hash) => writePieces(file, piecesOf(path), hash).then(() => undefined);
      return await this.#land(place, replacement, this.#beside(place.parent), copy);
    } finally {
      discard(path);
    }
  }

  #beside(parent: Held): string {
    return parent.entry(this.journal.temporaryIn(parent.real));
  }

  /** The new file is held open to the end, so that its inode number is not reused while it is compared. */
  async #land(place: Place, replacement: Replacement, path: string, fill: Fill): Promise<string | undefined> {
    const { parent, name } = place;
    const descriptor = openSync(path, NEW_FILE, replacement.mode ?? 0o666);
    try {
      const { status, digest } = await this.#filled(descriptor, place, replacement, fill);
      parent.confirm();
      checkObject(path, status);
      publish(place, replacement, path);
      if (digest !== undefined) return await checkLanded(parent, name, status, digest);
      checkObject(parent.entry(name), status);
      return undefined;
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') discard(path);
      throw error;
    } finally {
      closeSync(descriptor);
    }
  }

  async #filled(
    descriptor: number,
    { parent, child }: Place,
    { durable }: Replacement,
    fill: Fill,
  ): Promise<Draft> {
    const hash = durable ? createHash('sha256') : undefined;
    const filling = fill(descriptor, hash);
    if (filling !== undefined) await filling;
    const status = fstatSync(descriptor);
    if (child !== undefined) keepOwnerAndMode(descriptor, status, child.stats);
    else if (parent.stats.mode & SET_GROUP && status.gid !== parent.stats.gid)
      tryChown(descriptor, { uid: status.uid, gid: parent.stats.gid });
    const flushing = durable ? this.flush.file(descriptor, status.size) : undefined;
    if (flushing !== undefined) await flushing;
    return { status, ...(hash && { digest: hash.digest('hex') }) };
  }

  /** Appends in place: other writers' lines are never lost. Recovery cuts off a torn end. */
  async append(place: Place, descriptor: number, content: Uint8Array): Promise<void> {
    const { size, ino, dev } = fstatSync(descriptor);
    const work = { path: place.real, inode: ino, size, length: content.length };
    await this.journal.appending(work, async () => {
      await writeAll(descriptor, content);
      await this.flush.file(descriptor, content.length);
    });
    checkObject(place.parent.entry(place.name), { dev, ino });
  }
}

function publish({ parent, name }: Place, { exclusive }: Replacement, draft: string): void {
  if (exclusive) publishNew(parent, draft, name);
  else renameSync(draft, parent.entry(name));
}

/**
 * A file system without hard links cannot create exclusively; there a placeholder reserves the name first.
 */
function publishNew(parent: Held, draft: string, name: string): void {
  try {
    linkSync(draft, parent.entry(name));
    unlinkSync(draft);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    closeSync(openSync(parent.entry(name), NEW_FILE, 0o600));
    renameSync(draft, parent.entry(name));
  }
}

function checkReplaceable(child: Held, exclusive: boolean): void {
  if (exclusive) throw new FileFault('already-exists');
  if (child.stats.isDirectory()) throw new FileFault('is-a-directory');
  if (!child.stats.isFile()) throw new FileFault('special-file');
  // A rename would bypass the protection of a file that the server may not write.
  accessSync(child.handle, constants.W_OK);
}

function keepOwnerAndMode(descriptor: number, { uid, gid, mode }: Stats, old: Stats): void {
  const given = uid !== old.uid || gid !== old.gid;
  if (given) tryChown(descriptor, old);
  // Changing the owner clears the set-user-id bits.
  if (given || mode !== old.mode) fchmodSync(descriptor, old.mode & 0o7777);
}

function tryChown(descriptor: number, old: Pick<Stats, 'uid' | 'gid'>): void {
  try {
    fchownSync(descriptor, old.uid, old.gid);
  } catch (error) {
    // Only root may change a file's owner; otherwise the writer owns the new one, as with any editor.
    if (errnoOf(error) !== 'EPERM') throw error;
  }
}

/** After the rename, there is nothing left. */
function discard(draft: string): void {
  if (lstatSync(draft, { throwIfNoEntry: false })?.isFile() !== true) return;
  try {
    unlinkSync(draft);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

function piecesOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: CHUNK });
}

/** Returns the number of bytes written. */
export async function writePieces(
  descriptor: number,
  pieces: AsyncIterable<Uint8Array>,
  hash?: Hash,
): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) {
    await writeAll(descriptor, piece, hash);
    bytes += piece.length;
  }
  return bytes;
}

/** Short content is written synchronously, with nothing to wait for. */
export function writeAll(descriptor: number, content: Uint8Array, hash?: Hash): Promise<void> | undefined {
  if (content.length > SYNC_BYTES) return writeChunks(descriptor, content, hash);
  hash?.update(content);
  for (let at = 0; at < content.length; ) at += writeSync(descriptor, content, at);
  return undefined;
}

async function writeChunks(descriptor: number, content: Uint8Array, hash?: Hash): Promise<void> {
  for (let at = 0; at < content.length; ) {
    const count = await writeChunk(descriptor, content, at, Math.min(CHUNK, content.length - at));
    hash?.update(content.subarray(at, at + count));
    at += count;
  }
}

function writeChunk(descriptor: number, content: Uint8Array, at: number, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, content, at, length, null, (error, count) => (error ? reject(error) : resolve(count)));
  });
}
