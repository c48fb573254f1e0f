import type { ServiceIdentifier } from 'inversify';

/** Creates ids that are unguessable and unique across processes. */
export interface IdSource {
  next(): string;
}

export const IdSource: ServiceIdentifier<IdSource> = Symbol.for('castellan.IdSource');
