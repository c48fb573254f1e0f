import type { GitProtection } from './git-protection.js';

/** Something that would have run a program or led git elsewhere outside the sandbox, and what became of it. */
export interface DoorFinding {
  readonly path: string;
  /** A sentence for the answer. */
  readonly text: string;
  /** It was taken back, so that the command has failed. */
  readonly isRefusal?: boolean;
}

/** What commands can reach. */
export interface DoorScope {
  /** Folders that commands may write. */
  readonly roots: readonly string[];
  /** Repositories in them, as the walk found them: `.git` entries and folders that look like one. */
  readonly entries: readonly string[];
  /** Git folders whose configuration and hooks are mounted read-only. */
  readonly mounted: ReadonlySet<string>;
}

/** What tells that something happened in the folders that commands can reach. */
export interface TreeSigns {
  /** The same number: nothing has, as of the last time that the tree was looked at. undefined: nobody knows. */
  readonly pulse: number | undefined;
  /** Told of a folder and the name in it that changed; of no name where all of it is new. */
  followPulse(listener: (folder: string, name: string | undefined) => void): () => void;
}

/** The doors as one command meets them. */
export interface DoorWatch {
  /** Other repositories were found just before the command begins. */
  widen(scope: DoorScope): void;
  /**
   * To be called when nothing of the command is left and the tree was looked at since, with the repositories that
   * appeared meanwhile. Tells what was found.
   */
  close(appeared: readonly string[]): readonly DoorFinding[];
}

export interface DoorRequest {
  /** Folders that commands may write. */
  readonly writable: readonly string[];
  /** Repositories in them, as the walk found them. */
  readonly entries: readonly string[];
  /** Of the tree, when they were found. */
  readonly pulse: number | undefined;
  readonly tidiesWorktrees?: boolean | undefined;
}

/** What is mounted for a command, and what is watched over while it runs. */
export interface PreparedDoors {
  readonly protection: GitProtection;
  readonly scope: DoorScope;
}
