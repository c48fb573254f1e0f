import type { Command } from 'commander';
import type { CommandActions, GlobalOptions } from './command-actions.js';

export type Run = <Args extends unknown[]>(
  action: (...args: Args) => Promise<number>,
) => (...args: Args) => Promise<void>;

/** Dependencies of the parts of the command line. */
export interface Building {
  readonly program: Command;
  readonly actions: CommandActions;
  readonly run: Run;
  /** The global options, wherever they are on the command line. */
  readonly where: () => GlobalOptions;
}
