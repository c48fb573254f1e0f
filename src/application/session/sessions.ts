import { inject, injectable } from 'inversify';
import type { Caller } from '../../domain/session/caller.js';
import { type ClientInfo, Session } from '../../domain/session/session.js';
import { SessionStore } from '../ports/session/session-store.js';
import { IdSource } from '../ports/system/id-source.js';

/** Opens and ends sessions of all transports. */
@injectable()
export class Sessions {
  readonly #listeners = new Set<(session: Session) => void>();

  constructor(
    @inject(SessionStore) private readonly store: SessionStore,
    @inject(IdSource) private readonly ids: IdSource,
  ) {}

  /** A session that still needs its handshake; with the id it has at another instance, if any. */
  open(caller: Caller, id: string = this.ids.next()): Session {
    const session = Session.create(id, caller);
    this.store.add(session);
    return session;
  }

  /** A session that is ready immediately: for protocols without a handshake and for calls in process. */
  openReady(caller: Caller, client: ClientInfo): Session {
    const session = this.open(caller);
    session.initialize(client);
    return session;
  }

  /** Ends a session once; ending it again has no effect. */
  end(session: Session): void {
    if (this.store.get(session.id) !== session) return;
    session.close();
    this.store.remove(session.id);
    for (const listener of this.#listeners) listener(session);
  }

  /**
   * Calls back for every session that ends, so that its resources can be released. Returns a function that
   * stops listening.
   */
  onEnd(listener: (session: Session) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
