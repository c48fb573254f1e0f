import type { ServiceIdentifier } from 'inversify';
import type { FileError } from '../../../domain/file/file-error.js';
import type { PathPattern } from '../../../domain/permission/path/path-pattern.js';
import type { Result } from '../../../domain/result.js';
import type { FileAccess, WalkEntry } from './safe-file-system.js';

export interface FileQuery {
  /** Which entries to return (default: all). Directories are entered whether they match or not. */
  readonly pattern?: PathPattern;
  /** Entries to skip, including their contents. */
  readonly exclude?: readonly PathPattern[];
  /** Skip .git and what .gitignore files name. */
  readonly ignore: boolean;
  readonly maxDepth?: number;
  readonly times?: boolean;
  /** Entries per batch, before the pattern is applied. */
  readonly batch?: number;
  /** Continue after this relative path. */
  readonly after?: string;
  /** As for a walk. */
  leave?(directory: string, files: number, whole: boolean): void;
}

export interface FilePage {
  readonly entries: readonly WalkEntry[];
  /** Where the next page begins; undefined on the last one. Remains valid when the tree changes. */
  readonly cursor?: string;
}

export interface PageOptions {
  readonly limit: number;
  readonly cursor?: string;
  /** Called for each entry in turn: false ends the page before it and stops the walk. */
  take?(entry: WalkEntry): boolean;
}

/** Finds files below a directory, in a fixed order. */
export interface FileWalker {
  find(
    root: string,
    query: FileQuery,
    access: FileAccess,
  ): Promise<Result<AsyncIterable<readonly WalkEntry[]>, FileError>>;
  /** Returns one page of entries after `cursor`; an invalid cursor is an invalid-path error. */
  page(
    root: string,
    query: FileQuery,
    options: PageOptions,
    access: FileAccess,
  ): Promise<Result<FilePage, FileError>>;
}

export const FileWalker: ServiceIdentifier<FileWalker> = Symbol.for('castellan.FileWalker');
