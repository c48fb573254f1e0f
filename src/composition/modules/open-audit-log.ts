import type { Redactor } from '../../application/ports/audit/redactor.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { retentionOf } from '../../infrastructure/observability/audit-folder.js';
import { JsonlAuditLog } from '../../infrastructure/observability/jsonl-audit-log.js';
import type { Configuration } from '../configuration/configuration.js';

/** The audit log of a server. `instance` is this one's name where several serve together. */
export function openAuditLog(
  { stateFolder, workspace, settings }: Configuration,
  redactor: Redactor,
  logger: Logger,
  instance?: string,
): JsonlAuditLog {
  return new JsonlAuditLog(
    {
      stateFolder,
      workspace,
      ...(instance !== undefined && { instance }),
      keep: retentionOf(settings.audit),
      onProblem: (why) => logger.warn('The audit log', { why }),
      onDisk: (problem) => {
        if (problem === undefined) logger.warn('Calls are recorded again');
        else logger.error('Calls are not recorded', { why: problem });
      },
    },
    redactor,
  );
}
