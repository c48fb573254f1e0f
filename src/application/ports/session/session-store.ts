import type { ServiceIdentifier } from 'inversify';
import type { Session } from '../../../domain/session/session.js';

/** The sessions that are open in this process. */
export interface SessionStore {
  add(session: Session): void;
  /** undefined: never opened, or closed and removed. */
  get(id: string): Session | undefined;
  remove(id: string): void;
}

export const SessionStore: ServiceIdentifier<SessionStore> = Symbol.for('castellan.SessionStore');
