import type { ServiceIdentifier } from 'inversify';

export interface ScannedInodes {
  /** Of files with several names, by `device:inode`: those of their names that are hidden. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** False where the bound was reached before everything but installed packages was seen. */
  readonly complete: boolean;
}

/** Finds hidden files that have more than one name. Looks at names and numbers, never into a file. */
export interface InodeScan {
  /** Below `root`, and in `places` with what is below them; relative ones lie in the user's home folder. */
  find(root: string, places: readonly string[], isHidden: (path: string) => boolean): Promise<ScannedInodes>;
}

export const InodeScan: ServiceIdentifier<InodeScan> = Symbol.for('castellan.InodeScan');
