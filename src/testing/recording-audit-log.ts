import type { AuditLog } from '../application/ports/audit/audit-log.js';
import type {
  AuditConnection,
  AuditIntent,
  AuditOutcome,
  AuditTicket,
} from '../domain/audit/audit-record.js';
import { Result } from '../domain/result.js';

/** Keeps what was recorded, in order, and no file. */
export class RecordingAuditLog implements AuditLog {
  readonly intents: AuditIntent[] = [];
  readonly outcomes: AuditOutcome[] = [];
  readonly connections: AuditConnection[] = [];

  async intent(intent: AuditIntent): Promise<Result<AuditTicket>> {
    this.intents.push(intent);
    return Result.ok({ segment: 'testing', record: this.intents.length, call: () => '' });
  }

  async outcome(outcome: AuditOutcome): Promise<Result<undefined>> {
    this.outcomes.push(outcome);
    return Result.ok(undefined);
  }

  async connection(connection: AuditConnection): Promise<Result<undefined>> {
    this.connections.push(connection);
    return Result.ok(undefined);
  }

  async flush(): Promise<Result<undefined>> {
    return Result.ok(undefined);
  }

  async close(): Promise<Result<undefined>> {
    return Result.ok(undefined);
  }
}
