import type { ServiceIdentifier } from 'inversify';
import type { CommandPlan, CommandRefusal } from '../../../domain/command/command-plan.js';
import type { ShellMode } from '../../../domain/command/shell-mode.js';
import type { Result } from '../../../domain/result.js';

/**
 * Parses a command line and plans what it would do, or refuses it. It never throws. What it accepts means
 * exactly what the plan says; only a plan with a `text`, which `full` may give, is limited to what the script
 * shows.
 */
export interface CommandParser {
  /** The expansion of `~`: the home directory of commands. */
  readonly home: string;

  /** Loads the parser; must have settled before the other methods are called. */
  load(): Promise<void>;

  /** Parses a command line as typed into a shell. */
  parse(text: string, mode: ShellMode): Result<CommandPlan, CommandRefusal>;

  /** Plans exactly this argv: no character is special. */
  fromArgv(command: string, args: readonly string[], mode: ShellMode): Result<CommandPlan, CommandRefusal>;
}

export const CommandParser: ServiceIdentifier<CommandParser> = Symbol.for('castellan.CommandParser');
