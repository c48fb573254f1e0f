import type { ServiceIdentifier } from 'inversify';

/** The numbers that identify a file or directory, whatever its path. */
export interface ObjectNumbers {
  readonly dev: number;
  readonly ino: number;
  readonly birthtimeMs: number;
}

/** Remembers the paths of files and directories that a path rule denied. */
export interface DeniedObjects {
  readonly isEmpty: boolean;
  /** undefined if it was never seen at a denied path. */
  find(object: ObjectNumbers): string | undefined;
}

export const DeniedObjects: ServiceIdentifier<DeniedObjects> = Symbol.for('castellan.DeniedObjects');
