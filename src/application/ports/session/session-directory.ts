import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';

/** What every instance must know of a session to go on with it. */
export interface SharedSession {
  /** By which clients know it. */
  readonly id: string;
  /** By which the server knows it: consents, workflows and processes are bound to it. */
  readonly sessionId: string;
  /** Everything that says who opened it; nobody else may use it. */
  readonly callerKey: string;
  /** The instance that runs its commands and has its processes. */
  readonly owner: string;
  /** What was agreed at the beginning, as its protocol has it. */
  readonly handshake: string;
  /** What the client chose since then, as its protocol has it. */
  readonly choices: string;
  /** The processes that its owner runs for it. */
  readonly processes: string;
}

export type SessionChange = Partial<Pick<SharedSession, 'choices' | 'processes'>>;

/** `changed`: by another instance. */
export type DirectoryNotice =
  | { readonly kind: 'changed' | 'ended'; readonly id: string }
  /** Whatever was announced in the meantime was not heard; `emptied`: and nothing of it is known any more. */
  | { readonly kind: 'rejoined'; readonly emptied: boolean };

/** The sessions of a service, whichever instance has them. A failure means that it cannot be asked now. */
export interface SessionDirectory {
  add(session: SharedSession): Promise<Result<void>>;
  get(id: string): Promise<Result<SharedSession | undefined>>;
  change(id: string, change: SessionChange): Promise<Result<void>>;
  /** Makes `to` the owner where `from` still is; the owner it has then, undefined where it has ended. */
  claim(id: string, from: string, to: string): Promise<Result<string | undefined>>;
  /** They were used just now; those that have ended. */
  keep(ids: readonly string[]): Promise<Result<readonly string[]>>;
  /** Ends it where nobody has used it for so long. Whether it has ended. */
  endIdle(id: string, idleMs: number): Promise<Result<boolean>>;
  end(id: string): Promise<Result<void>>;
  onNotice(listener: (notice: DirectoryNotice) => void): void;
}

export const SessionDirectory: ServiceIdentifier<SessionDirectory> = Symbol.for('castellan.SessionDirectory');
