import type { CommandRefusal, CommandWord } from './command-plan.js';

/** What is known about one program that a command would start, directly or through a wrapper. */
export interface ProgramFacts {
  /** As written: `ls`, `/bin/rm`, `./tool`. */
  readonly program: string;
  readonly args: readonly CommandWord[];
  /** The wrapper that would start it. */
  readonly via?: string;
  readonly unseenArguments?: true;
  readonly placeholders?: readonly string[];
  /** Words that a program may run, or not: only denies and consents look at it. */
  readonly possible?: true;
  /** The absolute folder it would run in. */
  readonly directory: string;
  /** Runs whatever code it is given. */
  readonly interpreter: boolean;
  /** Where among its words a subcommand stands that runs another program. */
  readonly runsAt?: number;
  /** An option that turns a harmless program into another one; undefined where there is none. */
  readonly hazard?: CommandRefusal;
  /** The absolute binary, where it was looked up. */
  readonly resolvedPath?: string;
  /** `untrusted`: the binary lies where the caller could have put it. `unknown`: nobody looked. */
  readonly location: 'trusted' | 'untrusted' | 'unknown';
  /** Absolute files that its arguments name. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
