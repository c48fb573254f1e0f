import { inject, injectable } from 'inversify';
import type { Session } from '../../../domain/session/session.js';
import { Clock } from '../../ports/system/clock.js';
import type { Cancellation } from '../cancellation.js';

/** A call of a client that has no answer yet. */
export interface RunningCall {
  /** Unique in this process. */
  readonly id: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly session: Session | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly cancellation: Cancellation;
}

type FollowedCall = Omit<RunningCall, 'id' | 'startedAt' | 'arguments'> & { readonly arguments?: unknown };

/** The calls of clients under way, so that a person can see and stop them. */
@injectable()
export class RunningCalls {
  readonly #running = new Map<string, RunningCall>();
  #count = 0;

  constructor(@inject(Clock) private readonly clock: Clock) {}

  async follow<Call extends FollowedCall, T>(call: Call, run: (call: Call) => Promise<T>): Promise<T> {
    this.#count += 1;
    const id = `call_${this.#count}`;
    const { toolName, session, cancellation } = call;
    const startedAt = this.clock.now();
    this.#running.set(id, { id, toolName, arguments: call.arguments, session, startedAt, cancellation });
    try {
      return await run(call);
    } finally {
      this.#running.delete(id);
    }
  }

  list(): readonly RunningCall[] {
    return [...this.#running.values()];
  }

  /** false: it has ended. */
  stop(id: string): boolean {
    const call = this.#running.get(id);
    call?.cancellation.cancel('operator');
    return call !== undefined;
  }
}
