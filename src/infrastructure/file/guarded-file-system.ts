import { closeSync, constants, ftruncateSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type {
  ByteRange,
  FileAccess,
  FileInfo,
  NewContent,
  SafeFileSystem,
  WalkOptions,
  WriteOptions,
} from '../../application/ports/file/safe-file-system.js';
import type { SharedLocks } from '../../application/ports/file/shared-locks.js';
import { Result } from '../../domain/result.js';
import { attempt, FileFault, faultKindOf } from './file-fault.js';
import { GenericLocator } from './locate/generic-locator.js';
import { LinuxLocator } from './locate/linux-locator.js';
import { type Held, nameOf, type PathLocator } from './locate/path-locator.js';
import { DirectoryWalk } from './read/directory-walk.js';
import { FileReader } from './read/file-reader.js';
import { FolderListings } from './read/folder-listings.js';
import { AtomicWriter } from './write/atomic-writer.js';
import { DiskFlush } from './write/disk-flush.js';
import { FileChanges } from './write/file-changes.js';
import { PathLocks } from './write/path-locks.js';
import { Staging } from './write/staging.js';
import { TreeChanges } from './write/tree-changes.js';
import { TreeCopy } from './write/tree-copy.js';
import { ownerOfTemporary, type Unfinished, WriteJournal } from './write/write-journal.js';

/** The best locator that the platform has. */
export function platformLocator(): PathLocator {
  return process.platform === 'linux' ? new LinuxLocator() : new GenericLocator(process.platform);
}

/**
 * Implements the port with a locator: every operation starts at an object that the locator found and holds.
 */
export class GuardedFileSystem implements SafeFileSystem {
  readonly #reader: FileReader;
  readonly #changes: FileChanges;
  readonly #trees: TreeChanges;
  readonly #copies: TreeCopy;
  readonly #journal: WriteJournal;
  readonly #locks: PathLocks;
  readonly #listings = new FolderListings();

  constructor(
    stateFolder: string,
    private readonly locator: PathLocator = platformLocator(),
    shared?: SharedLocks,
  ) {
    this.#journal = new WriteJournal(join(stateFolder, 'journal'));
    this.#locks = new PathLocks(join(stateFolder, 'locks'), shared);
    const flush = new DiskFlush();
    const writer = new AtomicWriter(this.#journal, flush, new Staging(join(stateFolder, 'writes')));
    this.#reader = new FileReader(locator);
    this.#changes = new FileChanges(locator, writer, this.#locks, flush);
    this.#copies = new TreeCopy(locator, writer, this.#changes, flush);
    this.#trees = new TreeChanges(locator, this.#copies, flush);
  }

  open(path: string, access: FileAccess) {
    return attempt(path, access, () => this.#reader.open(path, access));
  }

  readBytes(path: string, range: ByteRange, access: FileAccess) {
    return attempt(path, access, () => this.#reader.readBytes(path, range, access));
  }

  info(path: string, options: { readonly followLinks: boolean }, access: FileAccess) {
    return attempt(path, access, () => this.#reader.info(path, options.followLinks, access));
  }

  write(path: string, content: NewContent, options: WriteOptions, access: FileAccess) {
    return attempt(path, access, () => this.#changes.write(path, content, options, access));
  }

  async update<E extends { readonly message: string }>(
    path: string,
    options: { readonly maxBytes: number },
    change: (content: Uint8Array, info: FileInfo) => Promise<Result<Uint8Array, E>>,
    access: FileAccess,
  ) {
    const updated = await attempt(path, access, () =>
      this.#changes.update(path, options.maxBytes, change, access),
    );
    if (!updated.success) return updated;
    const changed = updated.value;
    return changed.success ? Result.ok({ created: false, bytes: changed.value.length }) : changed;
  }

  makeDirectory(path: string, options: { readonly parents: boolean }, access: FileAccess) {
    return attempt(path, access, () => this.#changes.makeDirectory(path, options.parents, access));
  }

  async move(
    source: string,
    destination: string,
    options: { readonly overwrite: boolean },
    access: FileAccess,
  ) {
    return attempt(blamed(source, destination), access, () =>
      this.#trees.move(source, destination, options.overwrite, access),
    );
  }

  copy(source: string, destination: string, options: { readonly overwrite: boolean }, access: FileAccess) {
    return attempt(blamed(source, destination), access, () =>
      this.#copies.copy(source, destination, options.overwrite, access),
    );
  }

  remove(path: string, options: { readonly recursive: boolean }, access: FileAccess) {
    return attempt(path, access, () => this.#trees.remove(path, options.recursive, access));
  }

  walk(path: string, options: WalkOptions, access: FileAccess) {
    return attempt(path, access, () => {
      const root = this.locator.locate(path, 'read', access);
      if (root.stats.isDirectory())
        return new DirectoryWalk(this.locator, options, access, this.#listings).run(root);
      root.release();
      throw new FileFault('not-a-directory');
    });
  }

  recover(): Promise<number> {
    this.#locks.sweep();
    return this.#journal.recover((work) => this.#clean(work));
  }

  async #clean(work: Unfinished): Promise<number> {
    const guard = { mayRead: () => true, mayWrite: () => true };
    const access: FileAccess = { guard, signal: new AbortController().signal };
    try {
      const held = this.locator.locate(work.path, 'write', access);
      try {
        return work.kind === 'folder' ? removeTemporaries(held, work.owner) : this.#cutAppend(work, held);
      } finally {
        held.release();
      }
    } catch (error) {
      // The directory is gone or no longer accessible; nothing of ours in it can be reached.
      if (faultKindOf(error) === undefined) throw error;
      return 0;
    }
  }

  /** Cuts only a torn end: not a complete one, and not one followed by another writer's data. */
  #cutAppend(work: Extract<Unfinished, { kind: 'append' }>, held: Held): number {
    const { size, ino } = held.stats;
    if (ino !== work.inode || size <= work.size || size >= work.size + work.length) return 0;
    const descriptor = this.locator.openRegular(held, constants.O_WRONLY);
    ftruncateSync(descriptor, work.size);
    closeSync(descriptor);
    return 1;
  }
}

function removeTemporaries(folder: Held, owner: string): number {
  const names = readdirSync(folder.handle).filter((name) => ownerOfTemporary(name) === owner);
  for (const name of names) unlinkSync(folder.entry(name));
  return names.length;
}

/** Both paths came from the caller; the message names the one that decides whether the call is possible. */
function blamed(source: string, destination: string): string {
  return destination.includes('\0') || nameOf(destination) === '' ? destination : source;
}
