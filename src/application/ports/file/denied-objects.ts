import type { ServiceIdentifier } from 'inversify';

/** The numbers that name something on the disk, whatever its path. */
export interface ObjectNumbers {
  readonly dev: number;
  readonly ino: number;
  readonly birthtimeMs: number;
}

/** Remembers where files and folders lay when a rule that names a place denied them. */
export interface DeniedObjects {
  readonly isEmpty: boolean;
  /** undefined: it was never seen in a denied place. */
  find(object: ObjectNumbers): string | undefined;
}

export const DeniedObjects: ServiceIdentifier<DeniedObjects> = Symbol.for('castellan.DeniedObjects');
