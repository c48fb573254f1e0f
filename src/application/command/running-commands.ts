import { inject, injectable } from 'inversify';
import { Timer } from '../ports/system/timer.js';

/**
 * Long enough for commands that are about to end, short enough that none runs a second after its client has
 * gone.
 */
const LAST_MS = 500;

/** The running commands, so that they can be stopped when no client waits for them any more. */
@injectable()
export class RunningCommands {
  /** The session that waits for each. */
  readonly #ends = new Map<AbortController, string>();

  #started = 0;

  constructor(@inject(Timer) private readonly timer: Timer) {}

  /** The number of commands ever started. */
  get started(): number {
    return this.#started;
  }

  async follow<T>(
    run: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    sessionId: string,
  ): Promise<T> {
    const end = new AbortController();
    this.#ends.set(end, sessionId);
    this.#started += 1;
    try {
      return await run(AbortSignal.any([signal, end.signal]));
    } finally {
      this.#ends.delete(end);
    }
  }

  /** Stops them after a moment: the client of this session has gone, or the server stops. */
  endSoon(sessionId: string): void {
    if (this.#ends.size === 0) return;
    this.timer.after(LAST_MS, () => {
      for (const [end, owner] of this.#ends) if (owner === sessionId) end.abort();
    });
  }
}
