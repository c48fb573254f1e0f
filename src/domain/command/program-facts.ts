import type { CommandRefusal, CommandWord } from './command-plan.js';

/** Facts about one program that a command would start, directly or through a wrapper. */
export interface ProgramFacts {
  /** As written: `ls`, `/bin/rm`, `./tool`. */
  readonly program: string;
  readonly args: readonly CommandWord[];
  /** The wrapper that would start it. */
  readonly via?: string;
  readonly unseenArguments?: true;
  readonly placeholders?: readonly string[];
  /** Words that a program may run, or not: only denies and consents consider it. */
  readonly possible?: true;
  /** The absolute directory it would run in. */
  readonly directory: string;
  /** True if it runs any code it is given. */
  readonly interpreter: boolean;
  /** The index of a subcommand that runs another program. */
  readonly runsAt?: number;
  /** An option that makes a harmless program run another one, if any. */
  readonly hazard?: CommandRefusal;
  /** The absolute path of the binary, if it was looked up. */
  readonly resolvedPath?: string;
  /** `untrusted`: the caller could have put the binary there. `unknown`: it was not looked up. */
  readonly location: 'trusted' | 'untrusted' | 'unknown';
  /** Absolute files that its arguments name. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
