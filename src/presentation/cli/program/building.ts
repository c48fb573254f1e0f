import type { Command } from 'commander';
import type { CommandActions, GlobalOptions } from './command-actions.js';

export type Run = <Args extends unknown[]>(
  action: (...args: Args) => Promise<number>,
) => (...args: Args) => Promise<void>;

/** What the parts of the command line are built with. */
export interface Building {
  readonly program: Command;
  readonly actions: CommandActions;
  readonly run: Run;
  /** The options of every command, wherever on the line they stood. */
  readonly where: () => GlobalOptions;
}
