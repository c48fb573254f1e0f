import type { ServiceIdentifier } from 'inversify';
import type { CategoryKind } from '../../../domain/knowledge/document/category.js';
import type { Section } from '../../../domain/knowledge/document/document-outline.js';
import type { LibraryDocument } from './document-library.js';

export interface SearchHit {
  readonly document: LibraryDocument;
  readonly title: string;
  /** From 0 to 1; comparable within one result. */
  readonly score: number;
  /** The most relevant section; undefined for an empty document. */
  readonly section?: Section;
  readonly excerpt: string;
}

export interface SearchFilter {
  readonly kind?: CategoryKind;
  /** The name of a category. */
  readonly category?: string;
  /** Only documents with these addresses. */
  readonly uris?: ReadonlySet<string>;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Documents with any of the words, before the limit. */
  readonly total: number;
}

/**
 * Full-text search over the documents of all categories. The index is built at the first search and kept up
 * to date.
 */
export interface DocumentSearch {
  /** Increases with every change of the index: earlier results may be outdated. */
  readonly generation: number;
  search(query: string, filter: SearchFilter, limit: number): Promise<SearchAnswer>;
}

export const DocumentSearch: ServiceIdentifier<DocumentSearch> = Symbol.for('castellan.DocumentSearch');
