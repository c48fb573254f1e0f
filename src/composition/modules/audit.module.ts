import { TailAuditHandler } from '../../application/audit/tail-audit.js';
import { VerifyAuditHandler } from '../../application/audit/verify-audit.js';
import { ArgumentDigest } from '../../application/ports/audit/argument-digest-source.js';
import { AuditLog } from '../../application/ports/audit/audit-log.js';
import { AuditReader } from '../../application/ports/audit/audit-reader.js';
import { Redactor, ResultRedactor } from '../../application/ports/audit/redactor.js';
import { Logger } from '../../application/ports/system/logger.js';
import { retentionOf } from '../../infrastructure/observability/audit-folder.js';
import { FileAuditReader } from '../../infrastructure/observability/file-audit-reader.js';
import { JsonlAuditLog } from '../../infrastructure/observability/jsonl-audit-log.js';
import { PolicyRedaction } from '../../infrastructure/observability/policy-redaction.js';
import { openAuditStream } from '../../infrastructure/observability/stream/open-audit-stream.js';
import { SwitchableRedactor } from '../../infrastructure/observability/switchable-redactor.js';
import { sha256Digest } from '../../infrastructure/system/sha256-digest.js';
import type { Configuration } from '../configuration/configuration.js';
import { bindStage } from '../server/lifecycle.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';

/** The log of calls, and what is taken out of it and of answers. */
export function auditModule(bind: Bind, { configuration }: ServerParts): void {
  const logs = new SwitchableRedactor();
  const results = new SwitchableRedactor();
  bind(Redactor).toConstantValue(logs);
  bind(ResultRedactor).toConstantValue(results);
  bind(PolicyRedaction)
    .toResolvedValue((logger) => new PolicyRedaction(configuration.policy, logs, results, logger), [Logger])
    .inSingletonScope();
  bind(ArgumentDigest).toConstantValue(sha256Digest);
  bind(AuditLog)
    .toResolvedValue((redactor, logger) => openAuditLog(configuration, redactor, logger), [Redactor, Logger])
    .inSingletonScope();
  bind(AuditReader).toConstantValue(new FileAuditReader(configuration.stateFolder));
  bindSelves(bind, VerifyAuditHandler, TailAuditHandler);
  bindStage(bind, 'redaction', {
    begin: (server) => server.get(PolicyRedaction).follow(),
    end: (server) => server.get(PolicyRedaction).stop(),
  });
  bindStage(bind, 'audit', {
    end: async (server) => {
      const closed = await server.get(AuditLog).close();
      if (!closed.success) server.get(Logger).warn('The audit log did not close', { why: closed.error });
    },
  });
}

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
    if (why === undefined) logger.warn('Audit records are sent again', { left_out: missed });
    else logger.error('Audit records are not sent; they are on disk', { why, left_out: missed });
  };
}
