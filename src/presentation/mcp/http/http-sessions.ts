import { randomUUID } from 'node:crypto';
import type { EventStore } from '../../../application/ports/session/event-store.js';
import type {
  SessionDirectory,
  SharedSession,
} from '../../../application/ports/session/session-directory.js';
import { Result } from '../../../domain/result.js';
import { type Caller, callerKey } from '../../../domain/session/caller.js';
import type { Modern2026 } from '../modern-2026/modern-2026.js';
import { choicesOf, parseHandshake } from '../session-2025/session-2025-choices.js';
import type { Session2025Connections, SharedConversation } from '../session-2025/session-2025-connections.js';
import type { HttpOptions } from './http-options.js';
import { HttpSession } from './http-session.js';

/** What serves the callers of one workspace, in each revision. */
export interface ProtocolHome {
  readonly connections: Session2025Connections;
  readonly modern: Modern2026;
}

/** Where a caller is served, or why nowhere. */
export type HomeOf = (caller: Caller) => Promise<Result<ProtocolHome>>;

/** `here`: others may go on with it. */
type EndKind = 'everywhere' | 'here';

/** The sessions that are open over HTTP: bounded, each bound to its caller, ended when nobody uses them. */
export class HttpSessions {
  /** Oldest first. */
  readonly #sessions = new Map<string, HttpSession>();
  readonly #perCaller = new Map<string, number>();
  readonly #ending = new Set<Promise<void>>();
  readonly #adopting = new Map<string, Promise<Result<HttpSession | undefined>>>();

  #sweptAt = performance.now();

  constructor(
    readonly homeOf: HomeOf,
    private readonly store: EventStore,
    private readonly options: HttpOptions,
    private readonly directory: SessionDirectory,
    /** The name of this instance; empty where there is no other. */
    private readonly instance: string,
  ) {}

  get size(): number {
    return this.#sessions.size;
  }

  get all(): readonly HttpSession[] {
    return [...this.#sessions.values()];
  }

  /** undefined: there are as many as there may be, and all are in use. */
  async open(caller: Caller): Promise<Result<HttpSession, string> | undefined> {
    const home = await this.homeOf(caller);
    if (!home.success) return home;
    const session = this.#open(caller, home.value.connections, randomUUID(), { asker: this.instance });
    return session && Result.ok(session);
  }

  /** Lets the other instances know of a session whose handshake is done. */
  share(session: HttpSession): Promise<Result<void>> {
    const { id, callerKey: key, connection, owner } = session;
    return this.directory.add({
      id,
      sessionId: connection.session.id,
      callerKey: key,
      owner,
      handshake: JSON.stringify(connection.handshake),
      choices: choicesOf(connection),
      processes: '',
    });
  }

  /** A session of this instance. Another caller's is as unknown as one that never was. */
  get(id: string, caller: Caller): HttpSession | undefined {
    const session = this.#sessions.get(id);
    return session?.callerKey === callerKey(caller) ? session : undefined;
  }

  /** Whichever instance has it. A failure: that cannot be found out now. */
  async find(id: string, caller: Caller): Promise<Result<HttpSession | undefined>> {
    if (this.#sessions.has(id) || this.instance === '') return Result.ok(this.get(id, caller));
    // Somebody else who names the session at the same time must not be the one who is asked about.
    const key = `${id}\n${callerKey(caller)}`;
    const adopting = this.#adopting.get(key) ?? this.#adopt(id, caller);
    this.#adopting.set(key, adopting);
    try {
      const found = await adopting;
      return found.success ? Result.ok(this.get(id, caller)) : found;
    } finally {
      this.#adopting.delete(key);
    }
  }

  /** One of this instance, whoever asks. */
  known(id: string): HttpSession | undefined {
    return this.#sessions.get(id);
  }

  end(session: HttpSession, kind: EndKind = 'everywhere'): Promise<void> {
    if (!this.#sessions.delete(session.id)) return Promise.resolve();
    const left = (this.#perCaller.get(session.callerKey) ?? 1) - 1;
    if (left > 0) this.#perCaller.set(session.callerKey, left);
    else this.#perCaller.delete(session.callerKey);
    const ending = this.#end(session, kind);
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
    return ending;
  }

  /** As its client wants it. A failure: the others cannot be told now, and it goes on. */
  async close(session: HttpSession): Promise<Result<void>> {
    const told = await this.directory.end(session.id);
    if (told.success) void this.end(session);
    return told;
  }

  /** Ends what nobody has used for long, and keeps open streams alive. */
  async sweep(): Promise<void> {
    const now = performance.now();
    const since = this.#sweptAt;
    this.#sweptAt = now;
    const used: HttpSession[] = [];
    for (const session of this.all) {
      if (session.busy) session.beat();
      const isIdle = !session.busy && now - session.usedAt > this.options.sessionIdleMs;
      if (isIdle) await this.#endIdle(session);
      else if (session.busy || session.usedAt >= since) used.push(session);
    }
    const gone = await this.directory.keep(used.map(({ id }) => id));
    for (const id of gone.success ? gone.value : []) this.endKnown(id);
  }

  /** It has ended elsewhere. */
  endKnown(id: string): void {
    const session = this.#sessions.get(id);
    // One whose handshake is not done is not known to others yet.
    if (session?.connection.protocolVersion !== undefined) void this.end(session, 'here');
  }

  /** Lets calls under way end for a while, then ends every session, or leaves it to other instances. */
  async endAll(): Promise<void> {
    for (const session of this.all) void this.end(session, this.instance === '' ? 'everywhere' : 'here');
    await Promise.all(this.#ending);
  }

  async #end(session: HttpSession, kind: EndKind): Promise<void> {
    if (kind === 'everywhere') await this.directory.end(session.id);
    // Whoever gets the next call of the session takes it over.
    else if (session.owner === this.instance) await this.directory.claim(session.id, this.instance, '');
    await session.end(kind === 'everywhere');
  }

  #open(
    caller: Caller,
    home: Session2025Connections,
    id: string,
    shared: SharedConversation,
  ): HttpSession | undefined {
    const key = callerKey(caller);
    const { maxSessions, maxSessionsPerCaller } = this.options;
    const ownFull = (this.#perCaller.get(key) ?? 0) >= maxSessionsPerCaller;
    // The client of an ended session gets a 404 and opens another, as the specification has it.
    if (ownFull && !this.#endIdlest(key)) return undefined;
    if (this.size >= maxSessions && !this.#endIdlest(key)) return undefined;
    const connection = home.open(caller, async (message) => session.notify(message), shared);
    const session = new HttpSession(id, key, connection, home, this.store, this.instance);
    this.#sessions.set(session.id, session);
    this.#perCaller.set(key, (this.#perCaller.get(key) ?? 0) + 1);
    return session;
  }

  /** Goes on here with a session that another instance began. */
  async #adopt(id: string, caller: Caller): Promise<Result<HttpSession | undefined>> {
    const found = await this.directory.get(id);
    if (!found.success || found.value?.callerKey !== callerKey(caller))
      return found.success ? Result.ok(undefined) : found;
    const home = await this.homeOf(caller);
    if (!home.success) return home;
    return Result.ok(this.#resume(caller, home.value.connections, found.value));
  }

  #resume(caller: Caller, home: Session2025Connections, record: SharedSession): HttpSession | undefined {
    const handshake = parseHandshake(record.handshake);
    if (handshake === undefined || this.#sessions.has(record.id)) return undefined;
    const shared = { sessionId: record.sessionId, asker: this.instance };
    const session = this.#open(caller, home, record.id, shared);
    session?.connection.resume(handshake);
    session?.follow(record);
    return session;
  }

  async #endIdle(session: HttpSession): Promise<void> {
    const ended = await this.directory.endIdle(session.id, this.options.sessionIdleMs);
    // While nobody can be asked, nothing ends; a session that others use is left to them.
    if (!ended.success) return;
    if (ended.value) await this.end(session, 'everywhere');
    else if (session.owner !== this.instance) await this.end(session, 'here');
  }

  #endIdlest(key: string): boolean {
    let idlest: HttpSession | undefined;
    for (const session of this.#sessions.values()) {
      if (session.callerKey !== key || session.busy) continue;
      if (idlest === undefined || session.usedAt < idlest.usedAt) idlest = session;
    }
    if (idlest !== undefined) void this.end(idlest, idlest.owner === this.instance ? 'everywhere' : 'here');
    return idlest !== undefined;
  }
}
