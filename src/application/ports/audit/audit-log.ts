import type { ServiceIdentifier } from 'inversify';
import type {
  AuditConnection,
  AuditIntent,
  AuditOutcome,
  AuditTicket,
} from '../../../domain/audit/audit-record.js';
import type { Result } from '../../../domain/result.js';

/**
 * The record of every call, in which changes are detectable. A changing call records its intent first. If the
 * intent is `required`, success means that it is on disk, and a failure means that the call must not run
 * (AUDIT_UNAVAILABLE). Every call records an outcome, buffered for a limited time. If that fails, the log
 * notes the gap itself as soon as it can write again, and the caller should log it.
 */
export interface AuditLog {
  intent(intent: AuditIntent): Promise<Result<AuditTicket>>;
  outcome(outcome: AuditOutcome): Promise<Result<undefined>>;
  /** A connection of a command, whose call has records of its own. */
  connection(connection: AuditConnection): Promise<Result<undefined>>;
  /**
   * What to wait for before another call is answered (default: nothing). Prevents calls from being answered
   * faster than they can be recorded.
   */
  room?(at: number): Promise<unknown> | undefined;
  /** Why records do not reach the disk at the moment; undefined, or no such method, if they do. */
  problem?(): string | undefined;
  /** Succeeds when everything recorded so far is on disk. */
  flush(): Promise<Result<undefined>>;
  close(): Promise<Result<undefined>>;
}

export const AuditLog: ServiceIdentifier<AuditLog> = Symbol.for('castellan.AuditLog');
