import { inject, injectable } from 'inversify';
import { type Caller, callerKey } from '../../domain/session/caller.js';
import type { ClientInfo, Session } from '../../domain/session/session.js';
import { Sessions } from './sessions.js';

const MAX_CALLERS = 1000;

/**
 * One ready session per caller, for requests without a session of their own: calls in process and protocol
 * revisions without sessions.
 */
@injectable()
export class CallerSessions {
  /** Least recently used first. */
  readonly #sessions = new Map<string, Session>();
  #closed = false;

  constructor(@inject(Sessions) private readonly sessions: Sessions) {
    sessions.onEnd((session) => {
      const key = callerKey(session.caller);
      if (this.#sessions.get(key) === session) this.#sessions.delete(key);
    });
  }

  of(caller: Caller, client: ClientInfo): Session {
    const key = callerKey(caller);
    const known = this.#sessions.get(key);
    const session = known ?? this.sessions.openReady(caller, client);
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.values();
    if (this.#sessions.size > MAX_CALLERS && oldest !== undefined) this.sessions.end(oldest);
    if (this.#closed) this.sessions.end(session);
    return session;
  }

  /** Returns true if it belongs to a caller and not to a connection, so that no event ends it. */
  has(session: Session): boolean {
    return this.#sessions.get(callerKey(session.caller)) === session;
  }

  /** Permanently: later requests get an ended session. */
  endAll(): void {
    this.#closed = true;
    for (const session of [...this.#sessions.values()]) this.sessions.end(session);
  }
}
