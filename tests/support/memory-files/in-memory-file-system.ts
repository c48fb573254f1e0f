import type {
  ByteRange,
  ChangedTree,
  FileAccess,
  FileInfo,
  NewContent,
  OpenedFile,
  SafeFileSystem,
  WalkOptions,
  WriteOptions,
  Written,
} from '../../../src/application/ports/file/safe-file-system.js';
import { type FileError, fileError } from '../../../src/domain/file/file-error.js';
import { Result } from '../../../src/domain/result.js';
import {
  findPlace,
  findPlaceUnlessMissing,
  isMemoryFault,
  MemoryFault,
  type MemoryPermission,
  type MemoryPlace,
} from './memory-locator.js';
import {
  bytesOf,
  cloneNode,
  dropFrom,
  infoOf,
  joinPath,
  type MemoryFile,
  type MemoryNode,
  memoryFolder,
  nodesBelow,
  toBytes,
  totalsOf,
} from './memory-tree.js';
import { walkMemory } from './memory-walk.js';

/** A disk in memory that answers like the real one; for tests of tools and of embedders. */
export class InMemoryFileSystem implements SafeFileSystem {
  readonly #root = memoryFolder();
  readonly #turns = new Map<string, Promise<unknown>>();
  #versions = 0;

  /** Puts something on the disk, past every guard. */
  seed(path: string, node: string | Uint8Array | { readonly link: string } | 'directory-only'): void {
    const everything = { mayRead: () => true, mayWrite: () => true };
    const access = { guard: everything, signal: new AbortController().signal };
    const folder = node === 'directory-only' ? path : path.slice(0, path.lastIndexOf('/'));
    this.#makeFolders(folder, access);
    if (node === 'directory-only') return;
    const place = findPlace(this.#root, path, false, 'write', access);
    const isLink = typeof node === 'object' && 'link' in node;
    place.parent.entries.set(
      place.name,
      isLink ? { kind: 'symlink', target: node.link } : this.#newFile(bytesOf(node), 0o644),
    );
  }

  open(path: string, access: FileAccess): Promise<Result<OpenedFile, FileError>> {
    return this.#attempt(path, access, () => {
      const { node, info } = this.#file(path, 'read', access);
      return {
        info,
        read: async (offset: number, length: number) => Result.ok(node.bytes.slice(offset, offset + length)),
        close: () => undefined,
      };
    });
  }

  readBytes(path: string, range: ByteRange, access: FileAccess) {
    return this.#attempt(path, access, () => {
      const { node, info } = this.#file(path, 'read', access);
      return { bytes: node.bytes.slice(range.offset, range.offset + range.length), info };
    });
  }

  info(path: string, options: { readonly followLinks: boolean }, access: FileAccess) {
    return this.#attempt(path, access, () => {
      const place = findPlace(this.#root, path, options.followLinks, 'read', access);
      if (place.node === undefined) throw new MemoryFault('not-found');
      return infoOf(place.node, place.real);
    });
  }

  async write(path: string, content: NewContent, options: WriteOptions, access: FileAccess) {
    const bytes = await toBytes(content);
    return this.#attempt(path, access, () => {
      if (!access.guard.mayWrite(path)) throw new MemoryFault('denied');
      if (options.createParents) this.#makeFolders(path.slice(0, path.lastIndexOf('/')) || '/', access);
      const place = findPlace(this.#root, path, true, 'write', access);
      return this.#put(place, bytes, options.mode);
    });
  }

  async update<E extends { readonly message: string }>(
    path: string,
    options: { readonly maxBytes: number },
    change: (content: Uint8Array, info: FileInfo) => Promise<Result<Uint8Array, E>>,
    access: FileAccess,
  ): Promise<Result<Written, FileError | E>> {
    const before = this.#turns.get(path);
    const turn = (async () => {
      await before;
      const found = await this.#attempt(path, access, () => this.#file(path, 'both', access));
      if (!found.success) return found;
      const { node, info } = found.value;
      if (node.bytes.length > options.maxBytes) {
        return Result.failure(fileError('too-large', path), 'FileError');
      }
      const changed = await change(node.bytes, info);
      return changed.success ? this.write(path, changed.value, { mode: 'overwrite' }, access) : changed;
    })();
    this.#turns.set(path, turn);
    return turn;
  }

  makeDirectory(path: string, options: { readonly parents: boolean }, access: FileAccess) {
    return this.#attempt(path, access, () => {
      if (options.parents) return this.#makeFolders(path, access);
      const place = findPlace(this.#root, path, true, 'write', access);
      if (place.node !== undefined) throw new MemoryFault('already-exists');
      place.parent.entries.set(place.name, memoryFolder());
      return 1;
    });
  }

  move(source: string, destination: string, options: { readonly overwrite: boolean }, access: FileAccess) {
    return this.#attempt(source, access, () => {
      const moved = this.#transfer(source, destination, options.overwrite, 'both', access);
      moved.from.parent.entries.delete(moved.from.name);
      return moved.from.node?.kind === 'directory'
        ? { ...NOTHING, directories: 1 }
        : { ...NOTHING, files: 1 };
    });
  }

  copy(source: string, destination: string, options: { readonly overwrite: boolean }, access: FileAccess) {
    return this.#attempt(source, access, () => {
      const { from, copy, skipped } = this.#transfer(source, destination, options.overwrite, 'read', access);
      if (copy.kind !== 'directory') return { ...NOTHING, files: 1, bytes: infoOf(copy, from.real).size };
      return { ...totalsOf(copy), skipped };
    });
  }

  remove(path: string, options: { readonly recursive: boolean }, access: FileAccess) {
    return this.#attempt(path, access, (): ChangedTree => {
      const place = findPlace(this.#root, path, false, 'write', access);
      const { node } = place;
      if (node === undefined) throw new MemoryFault('not-found');
      const below = node.kind === 'directory' ? [...nodesBelow(node)] : [];
      if (below.length > 0 && !options.recursive) throw new MemoryFault('not-empty');
      for (const [relative] of below) {
        if (!access.guard.mayWrite(joinPath(place.real, relative))) throw new MemoryFault('denied');
      }
      place.parent.entries.delete(place.name);
      const folders = [node, ...below.map(([, child]) => child)].filter(
        (child) => child.kind === 'directory',
      );
      return { ...NOTHING, files: below.length + 1 - folders.length, directories: folders.length };
    });
  }

  walk(path: string, options: WalkOptions, access: FileAccess) {
    return this.#attempt(path, access, () => {
      const place = findPlace(this.#root, path, true, 'read', access);
      if (place.node === undefined) throw new MemoryFault('not-found');
      if (place.node.kind !== 'directory') throw new MemoryFault('not-a-directory');
      return walkMemory(place.node, place.real, options, access);
    });
  }

  async recover(): Promise<number> {
    return 0;
  }

  #transfer(
    source: string,
    destination: string,
    overwrite: boolean,
    permission: MemoryPermission,
    access: FileAccess,
  ): { readonly from: MemoryPlace; readonly copy: MemoryNode; readonly skipped: number } {
    if (destination === source || destination.startsWith(`${source}/`)) throw new MemoryFault('invalid-path');
    const from = findPlace(this.#root, source, permission === 'read', permission, access);
    if (from.node === undefined) throw new MemoryFault('not-found');
    const to = findPlace(this.#root, destination, permission === 'read', 'write', access);
    if (to.node !== undefined && !overwrite) throw new MemoryFault('already-exists');
    const copy = cloneNode(from.node);
    let skipped = 0;
    for (const [relative] of copy.kind === 'directory' ? nodesBelow(copy) : []) {
      const real = joinPath(from.real, relative);
      const free = access.guard.mayRead(real) && (permission === 'read' || access.guard.mayWrite(real));
      if (free && access.guard.mayWrite(joinPath(to.real, relative))) continue;
      if (permission === 'both' || free) throw new MemoryFault('denied');
      skipped += 1;
      dropFrom(copy, relative);
    }
    to.parent.entries.set(to.name, copy);
    return { from, copy, skipped };
  }

  #put(place: MemoryPlace, bytes: Uint8Array, mode: WriteOptions['mode']): Written {
    const old = place.node;
    if (old !== undefined && mode === 'create') throw new MemoryFault('already-exists');
    if (old?.kind === 'directory') throw new MemoryFault('is-a-directory');
    const kept = old?.kind === 'file' ? old : undefined;
    const whole = mode === 'append' && kept ? new Uint8Array([...kept.bytes, ...bytes]) : bytes;
    place.parent.entries.set(place.name, this.#newFile(whole, kept?.mode ?? 0o644));
    const replaced = mode === 'append' ? undefined : kept?.bytes.length;
    return { created: old === undefined, bytes: bytes.length, ...(replaced !== undefined && { replaced }) };
  }

  #newFile(bytes: Uint8Array, mode: number): MemoryFile {
    this.#versions += 1;
    return { kind: 'file', bytes: bytes.slice(), mode, modifiedMs: this.#versions, version: this.#versions };
  }

  #file(path: string, permission: MemoryPermission, access: FileAccess) {
    const { node, real } = findPlace(this.#root, path, true, permission, access);
    if (node === undefined) throw new MemoryFault('not-found');
    if (node.kind === 'directory') throw new MemoryFault('is-a-directory');
    if (node.kind === 'symlink') throw new MemoryFault('too-many-links');
    return { node, info: infoOf(node, real) };
  }

  #makeFolders(path: string, access: FileAccess): number {
    if (path === '' || path === '/') return 0;
    const above = path.slice(0, path.lastIndexOf('/'));
    const place = findPlaceUnlessMissing(this.#root, path, access);
    if (place === undefined) return this.#makeFolders(above, access) + this.#makeFolders(path, access);
    if (place.node?.kind === 'directory') return 0;
    if (place.node !== undefined) throw new MemoryFault('not-a-directory');
    place.parent.entries.set(place.name, memoryFolder());
    return 1;
  }

  async #attempt<T>(path: string, access: FileAccess, work: () => T): Promise<Result<T, FileError>> {
    const shown = access.display?.(path) ?? path;
    try {
      if (path.includes('\0') || !path.startsWith('/')) throw new MemoryFault('invalid-path');
      if (access.signal.aborted) throw new MemoryFault('cancelled');
      return Result.ok(work());
    } catch (error) {
      if (isMemoryFault(error)) return Result.failure(fileError(error.kind, shown), 'FileError');
      throw error;
    }
  }
}

const NOTHING: ChangedTree = { files: 0, directories: 0, bytes: 0, skipped: 0 };
