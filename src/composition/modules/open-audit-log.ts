import type { Redactor } from '../../application/ports/audit/redactor.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { retentionOf } from '../../infrastructure/observability/audit-folder.js';
import { JsonlAuditLog } from '../../infrastructure/observability/jsonl-audit-log.js';
import { openAuditStream } from '../../infrastructure/observability/stream/open-audit-stream.js';
import type { Configuration } from '../configuration/configuration.js';

/** The audit log of a server. `instance` is this one's name where several serve together. */
export function openAuditLog(
  { stateFolder, workspace, settings }: Configuration,
  redactor: Redactor,
  logger: Logger,
  instance?: string,
): JsonlAuditLog {
  const { stream } = settings.audit;
  return new JsonlAuditLog(
    {
      stateFolder,
      workspace,
      ...(instance !== undefined && { instance }),
      ...(stream !== undefined && { stream: openAuditStream(stream, { report: reportTo(logger) }) }),
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

function reportTo(logger: Logger): (problem: string | undefined, missed: number) => void {
  return (why, missed) => {
    if (why === undefined) logger.warn('Audit records are passed on again', { left_out: missed });
    else logger.error('Audit records are not passed on; they are on the disk', { why, left_out: missed });
  };
}
