import { randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { codeOf, FOLDER, removeIfEmpty, removeTree, replace, writeNew } from './file-steps.js';

const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface WriteOptions {
  readonly mode?: number;
  /** Whole milliseconds. */
  readonly mtimeMs?: number;
}

/**
 * A git folder, one side of the airlock. Commands may exchange anything in the private one at any moment, so every name
 * is reached from a held folder, one component after the other, and no link is ever followed: neither to read nor to write.
 */
export class HeldTree {
  readonly #root: number;

  constructor(readonly path: string) {
    this.#root = openSync(path, FOLDER);
  }

  close(): void {
    closeSync(this.#root);
  }

  /** Whether the folder is still the one at its path: people may have put it aside. */
  get isThere(): boolean {
    const [held, now] = [fstatSync(this.#root), lstatSync(this.path, { throwIfNoEntry: false })];
    return now !== undefined && held.ino === now.ino && held.dev === now.dev;
  }

  stat(rel: string): BigIntStats | undefined {
    return this.#in(rel, (entry) => lstatSync(entry, { bigint: true, throwIfNoEntry: false }));
  }

  isFolder(rel: string): boolean {
    return this.stat(rel)?.isDirectory() === true;
  }

  /** The bytes of a plain file; undefined where there is none, or it is larger than it may be. */
  read(rel: string, maxBytes: number): Buffer | undefined {
    return this.open(rel, (file) => {
      const { size } = fstatSync(file);
      return size > maxBytes ? undefined : readFileSync(file);
    });
  }

  /** The last bytes of a plain file. */
  readEnd(rel: string, bytes: number): Buffer | undefined {
    return this.open(rel, (file) => {
      const { size } = fstatSync(file);
      const end = Buffer.alloc(Math.min(bytes, size));
      readSync(file, end, 0, end.length, size - end.length);
      return end;
    });
  }

  /** Hands a descriptor of a plain file to `work`. */
  open<T>(rel: string, work: (file: number) => T): T | undefined {
    return this.#in(rel, (entry) => {
      const file = openSync(entry, FILE);
      try {
        return fstatSync(file).isFile() ? work(file) : undefined;
      } finally {
        closeSync(file);
      }
    });
  }

  list(rel: string): readonly Dirent[] {
    return this.#folder(rel, (entry) => readdirSync(entry, { withFileTypes: true })) ?? [];
  }

  /** The plain files below a folder, by their paths from the root. */
  files(rel: string): readonly string[] {
    return this.list(rel).flatMap((entry) => {
      const path = `${rel}/${entry.name}`;
      if (entry.isDirectory()) return this.files(path);
      return entry.isFile() ? [path] : [];
    });
  }

  /** Beside it first, then in its place in one step. */
  write(rel: string, bytes: Uint8Array | string, { mode = 0o644, mtimeMs }: WriteOptions = {}): void {
    this.#making(rel, (entry) => {
      const draft = `${dirname(entry)}/.airlock-${randomBytes(8).toString('hex')}`;
      try {
        writeNew(draft, bytes, mode, mtimeMs);
        replace(draft, entry);
      } finally {
        rmSync(draft, { force: true });
      }
    });
  }

  /** Makes a file that must not be there; false: it is. */
  create(rel: string, bytes: Uint8Array | string, options: WriteOptions = {}): boolean {
    return this.#making(rel, (entry) => {
      try {
        writeNew(entry, bytes, options.mode ?? 0o644, options.mtimeMs);
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
    });
  }

  /** Within one folder. */
  rename(from: string, to: string): void {
    this.#making(to, (entry) => replace(`${dirname(entry)}/${basename(from)}`, entry));
  }

  makeFolder(rel: string): void {
    this.#making(`${rel}/x`, () => undefined);
  }

  remove(rel: string): void {
    this.#in(rel, (entry) => unlinkSync(entry));
  }

  removeFolder(rel: string): void {
    this.#in(rel, (entry) => removeTree(entry, true));
  }

  /** The folders above a removed file that are empty now, up to one of these. */
  removeEmptyAbove(rel: string, kept: (folder: string) => boolean): void {
    for (let folder = dirname(rel); folder !== '.' && !kept(folder); folder = dirname(folder))
      if (this.#in(folder, removeIfEmpty) !== true) return;
  }

  /** Runs `work` with a path of this very entry; undefined where a folder on the way is missing or no folder. */
  #in<T>(rel: string, work: (entry: string) => T): T | undefined {
    return this.#folder(dirname(rel), (folder) => work(`${folder}/${basename(rel)}`));
  }

  #folder<T>(rel: string, work: (folder: string) => T): T | undefined {
    return this.#walk(rel, work, (entry) => openSync(entry, FOLDER), ABSENT);
  }

  #making<T>(rel: string, work: (entry: string) => T): T {
    const open = (entry: string): number => {
      try {
        mkdirSync(entry);
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      return openSync(entry, FOLDER);
    };
    const made = this.#walk(dirname(rel), (folder) => ({ value: work(`${folder}/${basename(rel)}`) }), open);
    if (made === undefined) throw new Error(`${rel} cannot be made`);
    return made.value;
  }

  #walk<T>(
    rel: string,
    work: (folder: string) => T,
    open: (entry: string) => number,
    absent: ReadonlySet<string> = new Set(),
  ): T | undefined {
    const held: number[] = [];
    try {
      let folder = `/proc/self/fd/${this.#root}`;
      for (const name of rel.split('/')) {
        if (name === '' || name === '.') continue;
        const next = open(`${folder}/${name}`);
        held.push(next);
        folder = `/proc/self/fd/${next}`;
      }
      return work(folder);
    } catch (error) {
      if (absent.has(codeOf(error))) return undefined;
      throw error;
    } finally {
      for (const descriptor of held) closeSync(descriptor);
    }
  }
}

/** Not there, or of another kind: to who reads, both are the same. */
const ABSENT = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EISDIR',
  'ENXIO',
  'ENOTEMPTY',
  'EBUSY',
  'ENAMETOOLONG',
]);
