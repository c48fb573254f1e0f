import type { ServiceIdentifier } from 'inversify';
import type { FileError } from '../../../domain/file/file-error.js';
import type { LandedFile } from '../../../domain/file/landed-file.js';
import type { Result } from '../../../domain/result.js';
import type { ObjectNumbers } from './denied-objects.js';
import type { StopSignal } from './file-work.js';

/**
 * What the caller may touch. Asked about the path given, and again about the real path of whatever links lead
 * to. Roots must therefore be known by their real paths too.
 */
export interface PathGuard {
  mayRead(absolutePath: string): boolean;
  mayWrite(absolutePath: string): boolean;
  /** `mayRead` for the entries of one folder, by their names; walks ask it where it is there. */
  mayReadIn?(absoluteFolder: string): (name: string) => boolean;
}

/** A file whatever its names are, and when it, its names included, last changed. */
export interface InodeIdentity {
  readonly device: number;
  readonly inode: number;
  readonly changedMs: number;
}

/** On whose behalf a call happens. */
export interface FileAccess {
  readonly guard: PathGuard;
  readonly signal: StopSignal;
  /** How an absolute path is shown in messages; as it is where absent. */
  readonly display?: (absolutePath: string) => string;
  /** Asked before a file with several names is read: is this inode also a file that may not be read? */
  readonly isDeniedInode?: (inode: InodeIdentity) => Promise<boolean>;
  /**
   * Asked about every folder on the way and about what is there: was it denied in a place that it has left? Absent
   * where nothing is remembered.
   */
  readonly isDeniedObject?: (object: ObjectNumbers) => boolean;
  /** Told of every file that was written whole, once it was read back under its name. */
  readonly landed?: (file: LandedFile) => void;
  /** Told now and then during long work how many entries are done. */
  readonly progress?: (done: number) => void;
}

export type EntryKind = 'file' | 'directory' | 'symlink' | 'special';

export interface FileInfo {
  readonly kind: EntryKind;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly links: number;
  readonly modifiedMs: number;
  readonly createdMs: number;
  readonly accessedMs: number;
  readonly realPath: string;
  /** Changes whenever the content may have changed. */
  readonly version: string;
  /** Where a symlink points to, as written in it; only for what may be seen. */
  readonly linkTarget?: string;
}

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** A regular file, held open: what is read is what was checked, whatever happens to the name meanwhile. */
export interface OpenedFile {
  readonly info: FileInfo;
  /** At most `length` bytes; empty at the end of the file. */
  read(offset: number, length: number): Promise<Result<Uint8Array, FileError>>;
  close(): void;
}

export interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly info: FileInfo;
  /** For callers who are done with the bytes and keep no part of them: the next read may have their place. */
  readonly done?: () => void;
}

export interface WriteOptions {
  /** `create` refuses an existing file; `append` adds to the end. */
  readonly mode: 'overwrite' | 'create' | 'append';
  readonly createParents?: boolean;
}

/** What comes in pieces is written as it comes. If its source throws, that is thrown on and nothing was written. */
export type NewContent = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface Written {
  readonly created: boolean;
  readonly bytes: number;
  /** How many bytes the file had that this took the place of. */
  readonly replaced?: number;
}

export interface EntryTimes {
  readonly size: number;
  readonly modifiedMs: number;
}

export interface WalkEntry {
  readonly name: string;
  /** Relative to where the walk began, with slashes. */
  readonly path: string;
  /** The path of the folder it is in; empty where the walk began. */
  readonly folder: string;
  readonly kind: EntryKind;
  /** False: the name is not valid UTF-8, is shown escaped, and cannot be opened by it. */
  readonly nameable: boolean;
  /** Only where the walk was asked for them. */
  readonly times?: EntryTimes | undefined;
}

/** Decides over the entries of one folder; false leaves an entry out, and a folder with all that is below. */
export type EntryFilter = (name: string, isDirectory: boolean) => boolean;

export interface WalkOptions {
  /** 1 is the folder's own entries. */
  readonly maxDepth?: number;
  /** Only entries that come after this relative path in the walk's order. */
  readonly after?: string;
  readonly times?: boolean;
  /** Which entries are wanted; all where absent. Folders are entered whether they are wanted or not. */
  select?(name: string, directory: string): boolean;
  /** How many entries come at once; 1000 where absent. A page needs no more than its own. */
  readonly batch?: number;
  /** The name of a small file whose text `enter` is given where a folder has it, such as .gitignore. */
  readonly rulesFile?: string;
  enter?(directory: string, rules: string | undefined): EntryFilter | undefined;
  /**
   * Told when a folder is done: how many files of its own were entries, and whether those are all it has. Comes
   * no later than the batch with the entry after it.
   */
  leave?(directory: string, files: number, whole: boolean): void;
}

export interface ChangedTree {
  readonly files: number;
  readonly directories: number;
  readonly bytes: number;
  /** Entries left out of a copy because they may not be read. */
  readonly skipped: number;
}

/**
 * The only way to the disk. Paths are absolute and lexically canonical. Links are followed one by one and
 * checked again; pipes, devices, sockets and kernel files are never opened. A write is whole or did not happen.
 */
export interface SafeFileSystem {
  open(path: string, access: FileAccess): Promise<Result<OpenedFile, FileError>>;
  readBytes(path: string, range: ByteRange, access: FileAccess): Promise<Result<ReadBytes, FileError>>;
  /** `followLinks` false looks at a link itself. */
  info(
    path: string,
    options: { readonly followLinks: boolean },
    access: FileAccess,
  ): Promise<Result<FileInfo, FileError>>;
  write(
    path: string,
    content: NewContent,
    options: WriteOptions,
    access: FileAccess,
  ): Promise<Result<Written, FileError>>;
  /** Reads, changes and replaces a file while every other writer of it waits. */
  update<E extends { readonly message: string }>(
    path: string,
    options: { readonly maxBytes: number },
    change: (content: Uint8Array, info: FileInfo) => Promise<Result<Uint8Array, E>>,
    access: FileAccess,
  ): Promise<Result<Written, FileError | E>>;
  /** The number of folders made; 0 when it was there with `parents`. */
  makeDirectory(
    path: string,
    options: { readonly parents: boolean },
    access: FileAccess,
  ): Promise<Result<number, FileError>>;
  move(
    source: string,
    destination: string,
    options: { readonly overwrite: boolean },
    access: FileAccess,
  ): Promise<Result<ChangedTree, FileError>>;
  copy(
    source: string,
    destination: string,
    options: { readonly overwrite: boolean },
    access: FileAccess,
  ): Promise<Result<ChangedTree, FileError>>;
  /** Refuses before the first removal when anything in the tree may not be written. */
  remove(
    path: string,
    options: { readonly recursive: boolean },
    access: FileAccess,
  ): Promise<Result<ChangedTree, FileError>>;
  /**
   * Entries below a folder in batches: by name within each folder, a folder before its content. Links are not
   * followed, what may not be read is left out, folders that cannot be opened are entries without content.
   */
  walk(
    path: string,
    options: WalkOptions,
    access: FileAccess,
  ): Promise<Result<AsyncIterable<readonly WalkEntry[]>, FileError>>;
  /** Removes what an earlier, killed process left half done; the number of leftovers. */
  recover(): Promise<number>;
}

export const SafeFileSystem: ServiceIdentifier<SafeFileSystem> = Symbol.for('castellan.SafeFileSystem');
