import type { ServiceIdentifier } from 'inversify';
import type { FileError } from '../../../domain/file/file-error.js';
import type { PathPattern } from '../../../domain/permission/path/path-pattern.js';
import type { Result } from '../../../domain/result.js';
import type { FileAccess } from './safe-file-system.js';

export interface ContentQuery {
  readonly query: string;
  readonly literal: boolean;
  /** `smart`: sensitive if the query has a capital letter. */
  readonly case: 'smart' | 'sensitive' | 'insensitive';
  /** Only files that match one of these (default: all). */
  readonly include: readonly PathPattern[];
  readonly exclude: readonly PathPattern[];
  readonly ignore: boolean;
  /** Lines before and after each match. */
  readonly context: number;
  readonly limit: number;
  readonly cursor?: string;
}

export interface ContentMatch {
  /** Relative to where the search began. */
  readonly path: string;
  /** Counted from 1, like the column, in characters. */
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface ContentPage {
  readonly matches: readonly ContentMatch[];
  readonly cursor?: string;
  readonly filesSearched: number;
}

/** The expression is invalid. */
export interface QueryError {
  readonly kind: 'invalid-query';
  readonly message: string;
}

/** A search runs programs, which must be told to stop. */
export interface SearchAccess extends FileAccess {
  readonly signal: AbortSignal;
}

/** Finds lines in files. Unreadable files are never opened, and nothing of them is shown. */
export interface ContentSearch {
  search(
    root: string,
    query: ContentQuery,
    access: SearchAccess,
  ): Promise<Result<ContentPage, FileError | QueryError>>;
}

export const ContentSearch: ServiceIdentifier<ContentSearch> = Symbol.for('castellan.ContentSearch');
