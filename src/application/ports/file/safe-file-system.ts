import type { ServiceIdentifier } from 'inversify';
import type { FileError } from '../../../domain/file/file-error.js';
import type { LandedFile } from '../../../domain/file/landed-file.js';
import type { Result } from '../../../domain/result.js';
import type { ObjectNumbers } from './denied-objects.js';
import type { StopSignal } from './file-work.js';

/**
 * What the caller may access. Checked for the given path, and again for the real path behind links. So roots
 * must be known by their real paths too.
 */
export interface PathGuard {
  mayRead(absolutePath: string): boolean;
  mayWrite(absolutePath: string): boolean;
  /** `mayRead` for the entries of one directory, by name; walks use it if it exists. */
  mayReadIn?(absoluteFolder: string): (name: string) => boolean;
}

/** A file regardless of its names, and when it or its names last changed. */
export interface InodeIdentity {
  readonly device: number;
  readonly inode: number;
  readonly changedMs: number;
}

/** The caller of an operation, as far as access depends on it. */
export interface FileAccess {
  readonly guard: PathGuard;
  readonly signal: StopSignal;
  /** How an absolute path is shown in messages (default: unchanged). */
  readonly display?: (absolutePath: string) => string;
  /** Checked before a file with several names is read: is this inode also a hidden file? */
  readonly isDeniedInode?: (inode: InodeIdentity) => Promise<boolean>;
  /**
   * Checked for every directory on the way and for the target: was it denied at a path that it has left?
   * (default: nothing is remembered)
   */
  readonly isDeniedObject?: (object: ObjectNumbers) => boolean;
  /** Called for every file that was written, after its content was read back. */
  readonly landed?: (file: LandedFile) => void;
  /** Called now and then during long work with the number of finished entries. */
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
  /** The target of a symlink, as written in it; only if it may be seen. */
  readonly linkTarget?: string;
}

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** A regular file, held open: what is read is what was checked, whatever happens to its name. */
export interface OpenedFile {
  readonly info: FileInfo;
  /** Reads at most `length` bytes; empty at the end of the file. */
  read(offset: number, length: number): Promise<Result<Uint8Array, FileError>>;
  close(): void;
}

export interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly info: FileInfo;
  /** Call it when no part of the bytes is needed any more: the next read may reuse their memory. */
  readonly done?: () => void;
}

export interface WriteOptions {
  /** `create` refuses an existing file; `append` adds to the end. */
  readonly mode: 'overwrite' | 'create' | 'append';
  readonly createParents?: boolean;
}

/**
 * Content in pieces is written as it arrives. If its source throws, the error is rethrown and nothing was
 * written.
 */
export type NewContent = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface Written {
  readonly created: boolean;
  readonly bytes: number;
  /** The size of the file that was replaced. */
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
  /** The path of its directory; empty where the walk began. */
  readonly folder: string;
  readonly kind: EntryKind;
  /** False if the name is not valid UTF-8; it is shown escaped and cannot be opened. */
  readonly nameable: boolean;
  /** Only if the walk was asked for them. */
  readonly times?: EntryTimes | undefined;
}

/** Selects the entries of one directory; false skips an entry, and a directory with its content. */
export type EntryFilter = (name: string, isDirectory: boolean) => boolean;

export interface WalkOptions {
  /** 1: only the directory's own entries. */
  readonly maxDepth?: number;
  /** Only entries after this relative path in the walk's order. */
  readonly after?: string;
  readonly times?: boolean;
  /** Which entries to return (default: all). Directories are entered in any case. */
  select?(name: string, directory: string): boolean;
  /** Entries per batch (default: 1000). A page needs no more than its own. */
  readonly batch?: number;
  /**
   * The name of a small file, such as .gitignore, whose text is passed to `enter` for directories that have
   * it.
   */
  readonly rulesFile?: string;
  enter?(directory: string, rules: string | undefined): EntryFilter | undefined;
  /**
   * Called when a directory is done: how many of its files were returned, and whether those are all. Called
   * no later than the batch with the next entry.
   */
  leave?(directory: string, files: number, whole: boolean): void;
}

export interface ChangedTree {
  readonly files: number;
  readonly directories: number;
  readonly bytes: number;
  /** Entries omitted from a copy because they may not be read. */
  readonly skipped: number;
}

/**
 * The only access to the disk. Paths are absolute and lexically canonical. Links are resolved one by one and
 * checked again; pipes, devices, sockets and kernel files are never opened. A write happens completely or not
 * at all.
 */
export interface SafeFileSystem {
  open(path: string, access: FileAccess): Promise<Result<OpenedFile, FileError>>;
  readBytes(path: string, range: ByteRange, access: FileAccess): Promise<Result<ReadBytes, FileError>>;
  /** With `followLinks: false`, describes a link itself. */
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
  /** Returns the number of directories created; 0 if it existed and `parents` is set. */
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
  /** Fails before the first removal if anything in the tree may not be written. */
  remove(
    path: string,
    options: { readonly recursive: boolean },
    access: FileAccess,
  ): Promise<Result<ChangedTree, FileError>>;
  /**
   * Returns entries below a directory in batches: by name within each directory, a directory before its
   * content. Links are not followed, unreadable entries are skipped, directories that cannot be opened have
   * no content.
   */
  walk(
    path: string,
    options: WalkOptions,
    access: FileAccess,
  ): Promise<Result<AsyncIterable<readonly WalkEntry[]>, FileError>>;
  /** Removes what an earlier, killed process left unfinished; returns how many. */
  recover(): Promise<number>;
}

export const SafeFileSystem: ServiceIdentifier<SafeFileSystem> = Symbol.for('castellan.SafeFileSystem');
