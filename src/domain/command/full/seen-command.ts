import type { CommandWord, RedirectedFile } from '../command-plan.js';

/** One simple command of a script, wherever it is: in a loop, a function, a substitution. */
export interface SeenCommand {
  /** The first word is the program. */
  readonly words: readonly CommandWord[];
  /** Relative to the directory in which the script starts; ADRIFT if it is unknown. */
  readonly directory: string;
  /** Its standard input, if the script itself contains it. */
  readonly input?: string;
  /** The program's word as written, if a shell computes it at run time. */
  readonly unseenProgram?: string;
  /** The command before it in the pipeline, which supplies its arguments: `find . | xargs rm`. */
  readonly fedBy?: readonly CommandWord[];
}

/** What a script shows before it runs. */
export interface ShellReading {
  readonly commands: readonly SeenCommand[];
  readonly files: readonly RedirectedFile[];
  /** True if a part was not understood. */
  readonly unread: boolean;
}

export type ReadShellText = (text: string) => ShellReading;
