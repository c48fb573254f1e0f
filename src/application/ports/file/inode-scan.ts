import type { ServiceIdentifier } from 'inversify';

export interface ScannedInodes {
  /** For files with several names, by `device:inode`: those of their names that are hidden. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** False if a limit was reached before everything except installed packages was seen. */
  readonly complete: boolean;
}

/** Finds hidden files with more than one name. Reads names and numbers, never file contents. */
export interface InodeScan {
  /**
   * Scans `root`, and `places` with everything below them; relative ones are in the user's home directory.
   */
  find(root: string, places: readonly string[], isHidden: (path: string) => boolean): Promise<ScannedInodes>;
}

export const InodeScan: ServiceIdentifier<InodeScan> = Symbol.for('castellan.InodeScan');
