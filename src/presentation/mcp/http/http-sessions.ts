import { randomUUID } from 'node:crypto';
import type { EventStore } from '../../../application/ports/session/event-store.js';
import { Result } from '../../../domain/result.js';
import { type Caller, callerKey } from '../../../domain/session/caller.js';
import type { Modern2026 } from '../modern-2026/modern-2026.js';
import type { Session2025Connections } from '../session-2025/session-2025-connections.js';
import type { HttpOptions } from './http-options.js';
import { HttpSession } from './http-session.js';

/** What serves the callers of one workspace, in each revision. */
export interface ProtocolHome {
  readonly connections: Session2025Connections;
  readonly modern: Modern2026;
}

/** Where a caller is served, or why nowhere. */
export type HomeOf = (caller: Caller) => Promise<Result<ProtocolHome>>;

/** The sessions that are open over HTTP: bounded, each bound to its caller, ended when nobody uses them. */
export class HttpSessions {
  /** Oldest first. */
  readonly #sessions = new Map<string, HttpSession>();
  readonly #perCaller = new Map<string, number>();
  readonly #ending = new Set<Promise<void>>();

  constructor(
    readonly homeOf: HomeOf,
    private readonly store: EventStore,
    private readonly options: HttpOptions,
  ) {}

  get size(): number {
    return this.#sessions.size;
  }

  /** undefined: there are as many as there may be, and all are in use. */
  async open(caller: Caller): Promise<Result<HttpSession, string> | undefined> {
    const home = await this.homeOf(caller);
    return home.success ? this.#open(caller, home.value.connections) : home;
  }

  #open(caller: Caller, home: Session2025Connections): Result<HttpSession> | undefined {
    const key = callerKey(caller);
    const { maxSessions, maxSessionsPerCaller } = this.options;
    const ownFull = (this.#perCaller.get(key) ?? 0) >= maxSessionsPerCaller;
    // The client of an ended session gets a 404 and opens another, as the specification has it.
    if (ownFull && !this.#endIdlest(key)) return undefined;
    if (this.size >= maxSessions && !this.#endIdlest(key)) return undefined;
    const connection = home.open(caller, async (message) => session.notify(message));
    const session = new HttpSession(randomUUID(), key, connection, home, this.store);
    this.#sessions.set(session.id, session);
    this.#perCaller.set(key, (this.#perCaller.get(key) ?? 0) + 1);
    return Result.ok(session);
  }

  /** Another caller's session is as unknown as one that never was. */
  get(id: string, caller: Caller): HttpSession | undefined {
    const session = this.#sessions.get(id);
    return session?.callerKey === callerKey(caller) ? session : undefined;
  }

  end(session: HttpSession): Promise<void> {
    if (!this.#sessions.delete(session.id)) return Promise.resolve();
    const left = (this.#perCaller.get(session.callerKey) ?? 1) - 1;
    if (left > 0) this.#perCaller.set(session.callerKey, left);
    else this.#perCaller.delete(session.callerKey);
    const ending = session.end();
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
    return ending;
  }

  /** Ends what nobody has used for long, and keeps open streams alive. */
  sweep(): void {
    const limit = performance.now() - this.options.sessionIdleMs;
    for (const session of [...this.#sessions.values()]) {
      if (session.busy) session.beat();
      else if (session.usedAt < limit) void this.end(session);
    }
  }

  /** Lets calls under way end for a while, then ends every session. */
  async endAll(): Promise<void> {
    for (const session of [...this.#sessions.values()]) void this.end(session);
    await Promise.all(this.#ending);
  }

  #endIdlest(key: string): boolean {
    let idlest: HttpSession | undefined;
    for (const session of this.#sessions.values()) {
      if (session.callerKey !== key || session.busy) continue;
      if (idlest === undefined || session.usedAt < idlest.usedAt) idlest = session;
    }
    if (idlest !== undefined) void this.end(idlest);
    return idlest !== undefined;
  }
}
