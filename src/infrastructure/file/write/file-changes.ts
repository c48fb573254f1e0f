import { closeSync, constants, fstatSync, lstatSync, mkdirSync } from 'node:fs';
import type {
  FileAccess,
  FileInfo,
  NewContent,
  WriteOptions,
  Written,
} from '../../../application/ports/file/safe-file-system.js';
import type { Result } from '../../../domain/result.js';
import { errnoOf } from '../../state/errno.js';
import { checkLive, FileFault, faultKindOf } from '../file-fault.js';
import {
  type Held,
  joinReal,
  nameOf,
  type PathLocator,
  type Permission,
  type Place,
  parentOf,
  releasePlace,
} from '../locate/path-locator.js';
import { checkNames, infoOf, readWhole } from '../read/file-reader.js';
import { LARGEST_SPARE, SpareBuffer } from '../read/spare-buffer.js';
import { type AtomicWriter, writeAll, writePieces } from './atomic-writer.js';
import type { DiskFlush } from './disk-flush.js';
import type { PathLocks } from './path-locks.js';

/** Below this size new memory costs almost nothing. */
const FRESH_BYTES = 64 * 1024;
/** The maximum size of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;

/** Writes, appends to and updates single files, one change per file at a time. */
export class FileChanges {
  readonly #spare = new SpareBuffer();

  constructor(
    private readonly locator: PathLocator,
    private readonly writer: AtomicWriter,
    private readonly locks: PathLocks,
    private readonly flush: DiskFlush,
  ) {}

  async write(
    path: string,
    content: NewContent,
    options: WriteOptions,
    access: FileAccess,
  ): Promise<Written> {
    if (typeof content !== 'string') return this.#write(path, content, options, access);
    const room = content.length * MOST_BYTES;
    if (room < FRESH_BYTES || room > LARGEST_SPARE)
      return this.#write(path, Buffer.from(content, 'utf8'), options, access);
    const place = this.#spare.take(room);
    try {
      return await this.#write(path, place.subarray(0, place.write(content, 'utf8')), options, access);
    } finally {
      this.#spare.give(place);
    }
  }

  async #write(
    path: string,
    pieces: Exclude<NewContent, string>,
    options: WriteOptions,
    access: FileAccess,
  ): Promise<Written> {
    if (options.createParents === true) await this.#makeParents(path, access);
    const buildsOn = options.mode === 'append';
    return this.#locked(path, 'write', buildsOn, access, async (place) => {
      const created = place.child === undefined;
      const bytes =
        options.mode === 'append' && !created
          ? await this.#append(place, await wholeOf(pieces))
          : await this.#replace(place, options.mode === 'create', pieces, access);
      const replaced = options.mode === 'append' ? undefined : place.child?.stats.size;
      return { created, bytes, ...(replaced !== undefined && { replaced }) };
    });
  }

  async update<E extends { readonly message: string }>(
    path: string,
    maxBytes: number,
    change: (content: Uint8Array, info: FileInfo) => Promise<Result<Uint8Array, E>>,
    access: FileAccess,
  ): Promise<Result<Uint8Array, E>> {
    return this.#locked(path, 'both', true, access, async (place) => {
      const { child } = place;
      if (child === undefined) throw new FileFault('not-found');
      await checkNames(child, access);
      const descriptor = this.locator.openRegular(child, constants.O_RDONLY);
      const content = await readWhole(descriptor, maxBytes).finally(() => closeSync(descriptor));
      const changed = await change(content, infoOf(child.stats, child.real));
      if (!changed.success) return changed;
      checkLive(access);
      // A complete replacement takes no ticket; a file that another writer created is kept.
      const now = lstatSync(place.parent.entry(place.name), { throwIfNoEntry: false });
      if (now === undefined || now.ino !== child.stats.ino || now.mtimeMs !== child.stats.mtimeMs) {
        throw new FileFault('busy');
      }
      await this.#replace(place, false, changed.value, access);
      return changed;
    });
  }

  /** Returns the number of directories created. */
  async makeDirectory(path: string, parents: boolean, access: FileAccess): Promise<number> {
    const missing: string[] = [];
    for (let at = path; ; at = parentOf(at)) {
      checkLive(access);
      const place = this.#placeUnlessMissing(at, parents && at !== '/', access);
      if (place === undefined) missing.push(nameOf(at));
      else
        return this.#makeFrom(place, missing.reverse(), parents, access).finally(() => releasePlace(place));
    }
  }

  /** Creates the directory if it is missing, and the others below it, each inside the one before. */
  async #makeFrom(place: Place, below: string[], parents: boolean, access: FileAccess): Promise<number> {
    const { parent, name, child } = place;
    if (child !== undefined && !parents) throw new FileFault('already-exists');
    if (child !== undefined && !child.stats.isDirectory()) throw new FileFault('not-a-directory');
    let made = child === undefined ? makeIn(parent, name, parents) : 0;
    if (below.length > 0) made += this.#makeBelow(child ?? this.locator.descend(parent, name), below, access);
    parent.confirm();
    if (made > 0) await this.flush.folder(parent);
    return made;
  }

  #makeBelow(top: Held, names: readonly string[], access: FileAccess): number {
    let folder = top;
    let made = 0;
    try {
      for (const name of names) {
        if (!access.guard.mayWrite(joinReal(folder.real, name))) throw new FileFault('denied');
        made += makeIn(folder, name, true);
        const next = this.locator.descend(folder, name);
        folder.release();
        folder = next;
      }
      return made;
    } finally {
      folder.release();
    }
  }

  #placeUnlessMissing(path: string, mayBeMissing: boolean, access: FileAccess): Place | undefined {
    try {
      return this.locator.place(path, true, 'write', access);
    } catch (error) {
      if (mayBeMissing && faultKindOf(error) === 'not-found') return undefined;
      throw error;
    }
  }

  async #makeParents(path: string, access: FileAccess): Promise<void> {
    if (!access.guard.mayWrite(path)) throw new FileFault('denied');
    try {
      releasePlace(this.locator.place(path, true, 'write', access));
    } catch (error) {
      if (faultKindOf(error) !== 'not-found') throw error;
      await this.makeDirectory(parentOf(path), true, access);
    }
  }

  async #replace(
    place: Place,
    exclusive: boolean,
    pieces: Uint8Array | AsyncIterable<Uint8Array>,
    access: FileAccess,
  ): Promise<number> {
    let bytes = 0;
    const digest = await this.writer.replace(place, { exclusive, durable: true }, (file, hash) => {
      if (!(pieces instanceof Uint8Array)) {
        return writePieces(file, pieces, hash).then((written) => {
          bytes = written;
        });
      }
      bytes = pieces.length;
      return writeAll(file, pieces, hash);
    });
    if (digest !== undefined) access.landed?.({ path: place.real, sha256: digest });
    return bytes;
  }

  async #append(place: Place, bytes: Uint8Array): Promise<number> {
    const { child } = place;
    if (child === undefined) throw new FileFault('not-found');
    if (child.stats.isFile() && child.stats.nlink > 1) throw new FileFault('hard-linked');
    const descriptor = this.locator.openRegular(child, constants.O_WRONLY | constants.O_APPEND);
    try {
      if (fstatSync(descriptor).nlink > 1) throw new FileFault('hard-linked');
      await this.writer.append(place, descriptor, bytes);
      return bytes.length;
    } finally {
      closeSync(descriptor);
    }
  }

  async #locked<T>(
    path: string,
    permission: Permission,
    amongProcesses: boolean,
    access: FileAccess,
    work: (place: Place) => Promise<T>,
  ): Promise<T> {
    const find = () => this.locator.place(path, true, permission, access);
    const first = find();
    try {
      return await this.locks.holding(first.real, amongProcesses, access, (waited) =>
        waited ? workAgain(first, find, work) : work(first),
      );
    } finally {
      releasePlace(first);
    }
  }
}

/** After waiting, the file is looked up again: it may be another one. */
async function workAgain<T>(first: Place, find: () => Place, work: (place: Place) => Promise<T>): Promise<T> {
  const place = find();
  try {
    // A link on the way was replaced while we waited for another file's lock.
    if (place.real !== first.real) throw new FileFault('busy');
    return await work(place);
  } finally {
    releasePlace(place);
  }
}

/** The journal must know in advance how long an append is. */
async function wholeOf(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Two calls may create the same directory concurrently; with `shared` both wanted it to exist. */
function makeIn(folder: Held, name: string, shared: boolean): number {
  try {
    mkdirSync(folder.entry(name));
    return 1;
  } catch (error) {
    if (shared && errnoOf(error) === 'EEXIST') return 0;
    throw error;
  }
}
