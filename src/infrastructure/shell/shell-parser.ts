import { injectable } from 'inversify';
import type { CommandParser } from '../../application/ports/command/command-parser.js';
import type { CommandPlan, CommandRefusal } from '../../domain/command/command-plan.js';
import type { ShellMode } from '../../domain/command/shell-mode.js';
import type { Result } from '../../domain/result.js';
import type { ShellReader } from './shell-reader.js';

/** Brings the reader of command lines in for the first command: a start has no use for it. */
@injectable()
export class ShellParser implements CommandParser {
  #home: string | undefined;
  #reader: ShellReader | undefined;

  /** `homeOf` is asked once somebody wants to know, which is not at a start either. */
  constructor(private readonly homeOf: () => string = () => '/home/sandbox') {}

  get home(): string {
    this.#home ??= this.homeOf();
    return this.#home;
  }

  async load(): Promise<void> {
    if (this.#reader !== undefined) return;
    const [{ ShellReader }, { parse }] = await Promise.all([import('./shell-reader.js'), import('unbash')]);
    this.#reader ??= new ShellReader(parse, this.home);
  }

  parse(text: string, mode: ShellMode): Result<CommandPlan, CommandRefusal> {
    return this.#loaded.parse(text, mode);
  }

  fromArgv(command: string, args: readonly string[], mode: ShellMode): Result<CommandPlan, CommandRefusal> {
    return this.#loaded.fromArgv(command, args, mode);
  }

  get #loaded(): ShellReader {
    if (this.#reader === undefined) throw new Error('load() must have settled before a command is read.');
    return this.#reader;
  }
}

/** A parser that is ready to read. */
export async function loadShellParser(): Promise<CommandParser> {
  const parser = new ShellParser();
  await parser.load();
  return parser;
}
