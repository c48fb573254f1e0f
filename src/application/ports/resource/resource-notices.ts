import type { ServiceIdentifier } from 'inversify';

export type ResourceNotice =
  | { readonly kind: 'updated'; readonly uri: string }
  /** Resources came or went. */
  | { readonly kind: 'list-changed' };

/** Carries word of changed resources from those who have them to the connections of clients. */
export interface ResourceNotices {
  publish(notice: ResourceNotice): void;
  /** Returns how to stop listening. */
  listen(listener: (notice: ResourceNotice) => void): () => void;
}

export const ResourceNotices: ServiceIdentifier<ResourceNotices> = Symbol.for('castellan.ResourceNotices');
