import { injectable } from 'inversify';
import type { SessionStore } from '../../application/ports/session/session-store.js';
import type { Session } from '../../domain/session/session.js';

@injectable()
export class InMemorySessionStore implements SessionStore {
  readonly #sessions = new Map<string, Session>();

  add(session: Session): void {
    this.#sessions.set(session.id, session);
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  remove(id: string): void {
    this.#sessions.delete(id);
  }

  list(): readonly Session[] {
    return [...this.#sessions.values()];
  }
}
