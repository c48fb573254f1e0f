import type { ServiceIdentifier } from 'inversify';
import type { FileError } from '../../../domain/file/file-error.js';
import type { PathPattern } from '../../../domain/permission/path/path-pattern.js';
import type { Result } from '../../../domain/result.js';
import type { FileAccess, WalkEntry } from './safe-file-system.js';

export interface FileQuery {
  /** Which entries are wanted; all where absent. Folders are entered whether they match or not. */
  readonly pattern?: PathPattern;
  /** Entries left out with all that is below them. */
  readonly exclude?: readonly PathPattern[];
  /** Leave out what .gitignore files name, and .git. */
  readonly ignore: boolean;
  readonly maxDepth?: number;
  readonly times?: boolean;
  /** How many entries come at once, before the pattern. */
  readonly batch?: number;
  /** Go on after this relative path. */
  readonly after?: string;
  /** As of a walk. */
  leave?(directory: string, files: number, whole: boolean): void;
}

export interface FilePage {
  readonly entries: readonly WalkEntry[];
  /** Where the next page begins; absent on the last one. Survives changes of the tree. */
  readonly cursor?: string;
}

export interface PageOptions {
  readonly limit: number;
  readonly cursor?: string;
  /** Asked about each entry in turn: false ends the page before it, and the walk goes no further. */
  take?(entry: WalkEntry): boolean;
}

/** Finds files below a folder, in an order that is always the same. */
export interface FileWalker {
  find(
    root: string,
    query: FileQuery,
    access: FileAccess,
  ): Promise<Result<AsyncIterable<readonly WalkEntry[]>, FileError>>;
  /** One page of entries after `cursor`; a cursor that is none of ours is an invalid-path. */
  page(
    root: string,
    query: FileQuery,
    options: PageOptions,
    access: FileAccess,
  ): Promise<Result<FilePage, FileError>>;
}

export const FileWalker: ServiceIdentifier<FileWalker> = Symbol.for('castellan.FileWalker');
