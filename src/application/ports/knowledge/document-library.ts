import type { ServiceIdentifier } from 'inversify';
import type { FileError } from '../../../domain/file/file-error.js';
import type { Category } from '../../../domain/knowledge/document/category.js';
import type { DocumentOutline } from '../../../domain/knowledge/document/document-outline.js';
import type { Result } from '../../../domain/result.js';

/** A file in the directory of a category. */
export interface LibraryDocument {
  readonly category: Category;
  /** Relative to the category's directory, with slashes. */
  readonly path: string;
  /** Relative to the workspace, as shown in results. */
  readonly shownPath: string;
  /** Only for documents that the category's own patterns include. */
  readonly uri?: string;
  readonly size: number;
  readonly modifiedMs: number;
}

export interface DocumentContent {
  readonly text: string;
  readonly title: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** Why the front matter on disk cannot be read; the last valid one is used if there was one. */
  readonly frontMatterProblem?: string;
  readonly outline: DocumentOutline;
}

/** A file that could not be read, and why. */
export interface DocumentProblem {
  readonly path: string;
  readonly problem: string;
}

export interface DocumentChange {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly document: LibraryDocument;
}

/**
 * The documents of all categories, from one cache for all readers. A category's directory is read on first
 * use and watched from then on; nothing outside it is ever read.
 */
export interface DocumentLibrary {
  /** Every visible file, sorted by path. A missing directory is empty. */
  list(category: Category): Promise<Result<readonly LibraryDocument[], FileError>>;
  /** Fails for files that are too large, not valid UTF-8, or gone. */
  read(document: LibraryDocument): Promise<Result<DocumentContent, FileError>>;
  /** Reads one file again now, instead of when the watcher reports a change. */
  refresh(category: Category, path: string): Promise<LibraryDocument | undefined>;
  problems(): readonly DocumentProblem[];
  /** Returns a function that stops listening. */
  onChange(listener: (change: DocumentChange) => void): () => void;
  close(): Promise<void>;
}

export const DocumentLibrary: ServiceIdentifier<DocumentLibrary> = Symbol.for('castellan.DocumentLibrary');
