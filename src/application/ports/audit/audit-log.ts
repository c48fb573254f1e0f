import type { ServiceIdentifier } from 'inversify';
import type {
  AuditConnection,
  AuditIntent,
  AuditOutcome,
  AuditTicket,
} from '../../../domain/audit/audit-record.js';
import type { Result } from '../../../domain/result.js';

/**
 * The record of every call, which cannot be changed unseen.
 *
 * A changing call gives its intent first. Where the intent is `required`, success means that it is on the
 * disk, and a failure means that the call must not run (AUDIT_UNAVAILABLE). An outcome follows every call;
 * it is buffered for a bounded time. A failed outcome was not recorded: the log notes the gap itself as
 * soon as it can write again, and the caller should say so on its own log.
 */
export interface AuditLog {
  intent(intent: AuditIntent): Promise<Result<AuditTicket>>;
  outcome(outcome: AuditOutcome): Promise<Result<undefined>>;
  /** A connection of a command, whose call has records of its own. */
  connection(connection: AuditConnection): Promise<Result<undefined>>;
  /**
   * What to wait for before another call is answered; absent where its record is taken at once. Calls that are answered
   * faster than they can be recorded would pile up.
   */
  room?(at: number): Promise<unknown> | undefined;
  /** Why records do not reach the disk at the moment; undefined, or no such method: they do. */
  problem?(): string | undefined;
  /** Everything recorded so far is on the disk when this succeeds. */
  flush(): Promise<Result<undefined>>;
  close(): Promise<Result<undefined>>;
}

export const AuditLog: ServiceIdentifier<AuditLog> = Symbol.for('castellan.AuditLog');
