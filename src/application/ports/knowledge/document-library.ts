import type { ServiceIdentifier } from 'inversify';
import type { FileError } from '../../../domain/file/file-error.js';
import type { Category } from '../../../domain/knowledge/document/category.js';
import type { DocumentOutline } from '../../../domain/knowledge/document/document-outline.js';
import type { Result } from '../../../domain/result.js';

/** A file in the folder of a category. */
export interface LibraryDocument {
  readonly category: Category;
  /** Relative to the category's folder, with slashes. */
  readonly path: string;
  /** Relative to the workspace: how answers show it. */
  readonly shownPath: string;
  /** Only of documents that the category's own patterns take in. */
  readonly uri?: string;
  readonly size: number;
  readonly modifiedMs: number;
}

export interface DocumentContent {
  readonly text: string;
  readonly title: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** Why the front matter on disk cannot be read; the last that could be is used where there was one. */
  readonly frontMatterProblem?: string;
  readonly outline: DocumentOutline;
}

/** A file that could not be taken in, and why. */
export interface DocumentProblem {
  readonly path: string;
  readonly problem: string;
}

export interface DocumentChange {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly document: LibraryDocument;
}

/**
 * The documents of all categories, from one cache for all who read them. A category's folder is looked at when
 * it is first asked for, and watched from then on; nothing outside of it is ever read.
 */
export interface DocumentLibrary {
  /** Every visible file in the order of paths. A folder that is not there is empty. */
  list(category: Category): Promise<Result<readonly LibraryDocument[], FileError>>;
  /** Fails for what is too large, no valid UTF-8, or gone. */
  read(document: LibraryDocument): Promise<Result<DocumentContent, FileError>>;
  /** Looks at one file again now, instead of when the watcher tells. */
  refresh(category: Category, path: string): Promise<LibraryDocument | undefined>;
  problems(): readonly DocumentProblem[];
  /** Returns how to stop listening. */
  onChange(listener: (change: DocumentChange) => void): () => void;
  close(): Promise<void>;
}

export const DocumentLibrary: ServiceIdentifier<DocumentLibrary> = Symbol.for('castellan.DocumentLibrary');
