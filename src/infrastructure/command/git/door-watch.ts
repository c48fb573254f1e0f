import type { DoorScope } from './git-place.js';
import type { OwnGit } from './protected-repositories.js';

/** Something that would have run a program or led git elsewhere outside the sandbox, and what became of it. */
export interface DoorFinding {
  readonly path: string;
  /** A sentence for the answer. */
  readonly text: string;
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

export interface DoorRequest extends OwnGit {
  /** Folders that commands may write. */
  readonly writable: readonly string[];
  /** Repositories in them, as the walk found them. */
  readonly entries: readonly string[];
  /** Of the tree, when they were found. */
  readonly revision: number | undefined;
  readonly tidiesWorktrees?: boolean | undefined;
}

/** What is mounted for a command, and what is watched over while it runs. */
export interface PreparedDoors {
  readonly readOnlyInside: readonly string[];
  readonly scope: DoorScope;
}

/** A command under watch: how to end it, and what was found of it. */
export interface RunningCommand {
  readonly end: (why: string) => void;
  readonly findings: Map<string, DoorFinding>;
}
