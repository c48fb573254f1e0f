import { inject, injectable } from 'inversify';
import type { Session } from '../../domain/session/session.js';
import { CommandSandbox } from '../ports/command/command-sandbox.js';
import { CommandViewFactory } from '../ports/command/command-view.js';
import { Timer } from '../ports/system/timer.js';
import { CallerSessions } from '../session/caller-sessions.js';
import { Sessions } from '../session/sessions.js';
import { BackgroundProcesses } from './background/background-processes.js';

/** As workflows: a caller without a connection who has not run a command for so long has gone. */
const IDLE_MS = 60 * 60_000;

/** What commands keep from one call to the next, as long as their session lasts. */
@injectable()
export class SessionCommands {
  /** How to stop waiting for the end of those that have no connection. */
  readonly #entered = new Map<string, () => void>();
  readonly #ending = new Set<Promise<void>>();

  constructor(
    @inject(Sessions) sessions: Sessions,
    @inject(BackgroundProcesses) private readonly processes: BackgroundProcesses,
    @inject(CommandSandbox) private readonly sandbox: CommandSandbox,
    @inject(CommandViewFactory) private readonly viewFactory: CommandViewFactory,
    @inject(CallerSessions) private readonly callers: CallerSessions,
    @inject(Timer) private readonly timer: Timer,
  ) {
    sessions.onEnd(({ id }) => this.#end(id));
  }

  /** A command of this session is about to run. */
  enter(session: Session): void {
    this.#entered.get(session.id)?.();
    this.#entered.set(session.id, this.callers.has(session) ? this.#whenIdle(session) : () => undefined);
  }

  /** Resolves when nothing of any session is left. */
  async close(): Promise<void> {
    for (const id of [...this.#entered.keys()]) this.#end(id);
    await Promise.allSettled(this.#ending);
  }

  /** What still runs is bounded by its own time, and keeps what belongs to it. */
  #whenIdle(session: Session): () => void {
    return this.timer.someTimeAfter(IDLE_MS, () => {
      const runs = this.processes.list({ session }).some(({ outcome }) => outcome === undefined);
      if (runs) this.enter(session);
      else this.#end(session.id);
    });
  }

  #end(id: string): void {
    this.#entered.get(id)?.();
    if (!this.#entered.delete(id)) return;
    const ending = this.#endAll(id).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async #endAll(id: string): Promise<void> {
    this.processes.endSession(id);
    await this.sandbox.endSession?.(id);
    // Only then: what still ran could write.
    await this.viewFactory.endSession?.(id);
  }
}
