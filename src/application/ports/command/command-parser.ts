import type { ServiceIdentifier } from 'inversify';
import type { CommandPlan, CommandRefusal } from '../../../domain/command/command-plan.js';
import type { ShellMode } from '../../../domain/command/shell-mode.js';
import type { Result } from '../../../domain/result.js';

/**
 * Reads a command line and says what it would do, or refuses it. It never throws, whatever it is given, and
 * what it accepts means exactly what the plan says; only a plan with a `text`, which `full` may give, says no more
 * than what the text shows.
 */
export interface CommandParser {
  /** What `~` stands for: the home folder of commands. */
  readonly home: string;

  /** Brings in what reading needs; must have settled before the first of the others. */
  load(): Promise<void>;

  /** A line as one would type it into a shell. */
  parse(text: string, mode: ShellMode): Result<CommandPlan, CommandRefusal>;

  /** Exactly this argv: no character of it is special. */
  fromArgv(command: string, args: readonly string[], mode: ShellMode): Result<CommandPlan, CommandRefusal>;
}

export const CommandParser: ServiceIdentifier<CommandParser> = Symbol.for('castellan.CommandParser');
