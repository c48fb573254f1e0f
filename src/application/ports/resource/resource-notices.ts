import type { ServiceIdentifier } from 'inversify';

export type ResourceNotice =
  | { readonly kind: 'updated'; readonly uri: string }
  /** Resources were added or removed. */
  | { readonly kind: 'list-changed' };

/** Passes notifications of changed resources from their sources to the clients' connections. */
export interface ResourceNotices {
  publish(notice: ResourceNotice): void;
  /** Returns a function that stops listening. */
  listen(listener: (notice: ResourceNotice) => void): () => void;
}

export const ResourceNotices: ServiceIdentifier<ResourceNotices> = Symbol.for('castellan.ResourceNotices');
