import type { ChildProcess } from 'node:child_process';
import type { Identity } from './user-namespace-pool.js';

export interface ProcessLaunch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Only root can start a process as somebody else. */
  readonly identity?: Identity | undefined;
  /** Become 3, 4, … in the child, or 4, 5, … where it has a gate. */
  readonly descriptors: readonly number[];
  /** The child waits at descriptor 3 until it is let go. */
  readonly gate?: LaunchGate;
  /** Folders in the child's view that live in memory, by paths of the host. */
  readonly temporary?: (child: ChildProcess) => readonly string[];
  /** Its processes, where they are not simply its descendants. */
  readonly processes?: (child: ChildProcess) => readonly number[];
  /** Told what its processes use; true: it is to be ended because of what others use as well. */
  readonly isToBlame?: (bytes: number) => boolean;
  /** A process group of its own. */
  readonly detached: boolean;
  readonly kill: (child: ChildProcess) => void;
}

export interface LaunchGate {
  /** Asked when all is set up and nothing has run; an answer says why nothing may. */
  readonly admit: (child: ChildProcess) => Promise<string | undefined>;
  /** Told just before the child is let go. What it answers is called when nothing of the child is left. */
  readonly begin: (child: ChildProcess, end: (why: string) => void) => () => void;
}
