import type { CommandWord, RedirectedFile } from '../command-plan.js';

/** One simple command of a text, wherever in it it stands: a loop, a function, a substitution. */
export interface SeenCommand {
  /** The program first. */
  readonly words: readonly CommandWord[];
  /** Told from the folder that the text begins in; ADRIFT where nobody knows it. */
  readonly directory: string;
  /** What it is given on standard input, where the text itself says so. */
  readonly input?: string;
  /** The word of the program as it is written, where a shell works it out when it runs. */
  readonly unseenProgram?: string;
  /** Its arguments come from the command before it in the pipeline: `find . | xargs rm`. */
  readonly fedBy?: readonly CommandWord[];
}

/** What a text shows of itself before it runs. */
export interface ShellReading {
  readonly commands: readonly SeenCommand[];
  readonly files: readonly RedirectedFile[];
  /** Not all of it was understood. */
  readonly unread: boolean;
}

export type ReadShellText = (text: string) => ShellReading;
