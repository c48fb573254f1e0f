import type { ServiceIdentifier } from 'inversify';

/** Identifiers nobody can guess and no two processes share. */
export interface IdSource {
  next(): string;
}

export const IdSource: ServiceIdentifier<IdSource> = Symbol.for('castellan.IdSource');
