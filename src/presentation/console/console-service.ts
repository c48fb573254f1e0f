import type { AuditFilter, AuditTailRecord } from '../../application/audit/tail-audit.js';
import type { AuditVerification } from '../../application/audit/verify-audit.js';
import type { OperatedServers } from '../../application/operation/operated-server.js';
import type { Result } from '../../domain/result.js';

/** What the pages are made from. */
export interface ConsoleService {
  readonly servers: OperatedServers;
  /** The last records of calls, oldest first. */
  records(count: number, filter: AuditFilter): Promise<Result<readonly AuditTailRecord[]>>;
  verify(): Promise<Result<AuditVerification>>;
}
