import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';

/** What every instance must know about a session to continue it. */
export interface SharedSession {
  /** The id known to clients. */
  readonly id: string;
  /** The id used by the server: consents, workflows and processes are bound to it. */
  readonly sessionId: string;
  /** All credentials of the caller that opened it; no other caller may use it. */
  readonly callerKey: string;
  /** The instance that runs its commands and has its processes. */
  readonly owner: string;
  /** What was agreed at the handshake, in the protocol's form. */
  readonly handshake: string;
  /** What the client chose since then, in the protocol's form. */
  readonly choices: string;
  /** The processes that its owner runs for it. */
  readonly processes: string;
}

export type SessionChange = Partial<Pick<SharedSession, 'choices' | 'processes'>>;

/** `changed`: by another instance. */
export type DirectoryNotice =
  | { readonly kind: 'changed' | 'ended'; readonly id: string }
  /** Notifications sent in the meantime were missed; `emptied`: and nothing about it is stored any more. */
  | { readonly kind: 'rejoined'; readonly emptied: boolean };

/**
 * The sessions of a service, whichever instance has them. A failure means that the store cannot be reached
 * now.
 */
export interface SessionDirectory {
  add(session: SharedSession): Promise<Result<void>>;
  get(id: string): Promise<Result<SharedSession | undefined>>;
  change(id: string, change: SessionChange): Promise<Result<void>>;
  /**
   * Makes `to` the owner if `from` still is; returns the current owner, undefined if the session has ended.
   */
  claim(id: string, from: string, to: string): Promise<Result<string | undefined>>;
  /** Marks sessions as used just now; returns those that have ended. */
  keep(ids: readonly string[]): Promise<Result<readonly string[]>>;
  /** Ends a session that was idle for so long. Returns true if it has ended. */
  endIdle(id: string, idleMs: number): Promise<Result<boolean>>;
  end(id: string): Promise<Result<void>>;
  onNotice(listener: (notice: DirectoryNotice) => void): void;
}

export const SessionDirectory: ServiceIdentifier<SessionDirectory> = Symbol.for('castellan.SessionDirectory');
