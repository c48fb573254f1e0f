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
  /** A git folder that commands have a private one of: nothing in it is theirs. */
  readonly carried?: string | undefined;
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
  readonly revision: number | undefined;
  readonly tidiesWorktrees?: boolean | undefined;
  /** A git folder that commands do not write themselves. */
  readonly carried?: string | undefined;
}

/** What is mounted for a command, and what is watched over while it runs. */
export interface PreparedDoors {
  readonly protection: GitProtection;
  readonly scope: DoorScope;
}

/** A command under watch: how to end it, and what was found of it. */
export interface RunningCommand {
  readonly end: (why: string) => void;
  readonly findings: Map<string, DoorFinding>;
}
