import { inject, injectable } from 'inversify';
import { CommandGrounds } from '../ports/command/command-ground.js';
import { CommandSandbox } from '../ports/command/command-sandbox.js';
import { Sessions } from '../session/sessions.js';
import { BackgroundProcesses } from './background/background-processes.js';

/** What commands keep from one call to the next, as long as their session lasts. */
@injectable()
export class SessionCommands {
  readonly #entered = new Set<string>();
  readonly #ending = new Set<Promise<void>>();

  constructor(
    @inject(Sessions) sessions: Sessions,
    @inject(BackgroundProcesses) private readonly processes: BackgroundProcesses,
    @inject(CommandSandbox) private readonly sandbox: CommandSandbox,
    @inject(CommandGrounds) private readonly grounds: CommandGrounds,
  ) {
    sessions.onEnd(({ id }) => this.#end(id));
  }

  /** A command of this session is about to run. */
  enter(sessionId: string): void {
    this.#entered.add(sessionId);
  }

  /** Resolves when nothing of any session is left. */
  async close(): Promise<void> {
    for (const id of [...this.#entered]) this.#end(id);
    await Promise.allSettled(this.#ending);
  }

  #end(id: string): void {
    if (!this.#entered.delete(id)) return;
    const ending = this.#endAll(id).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async #endAll(id: string): Promise<void> {
    this.processes.endSession(id);
    await this.sandbox.endSession?.(id);
    // Only then: what still ran could write.
    await this.grounds.endSession?.(id);
  }
}
