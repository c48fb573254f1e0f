import type { AuditVerification, VerifyAuditQuery } from '../../application/audit/verify-audit.js';
import type { SegmentReport } from '../../domain/audit/segment-check.js';
import type { Result } from '../../domain/result.js';
import { columns, type ExitCode, type Output } from './output.js';

type Verify = (query: VerifyAuditQuery) => Promise<Result<AuditVerification>>;

/** `castellan audit verify [FILE]`: every segment with what is sound of it; 1 when anything was tampered with. */
export async function auditVerifyCommand(
  verify: Verify,
  file: string | undefined,
  output: Output,
): Promise<ExitCode> {
  const verified = await verify(file === undefined ? {} : { file });
  if (!verified.success) {
    output.err(verified.error);
    return 1;
  }
  const { segments, problems, sound } = verified.value;
  output.out(columns([['SEGMENT', 'RECORDS', 'SOUND', 'STATE'], ...segments.map(row)]));
  for (const { kind, segment, line, message } of problems) {
    output.err(`${segment}${line === undefined ? '' : `:${line}`}: ${kind}: ${message}`);
  }
  output.out(sound ? 'The audit log is sound.' : 'The audit log was tampered with.');
  return sound ? 0 : 1;
}

function row({ segment, records, sound, torn, state }: SegmentReport): readonly string[] {
  const last = torn ? `${state}, torn: the last record is incomplete, as a crash leaves it` : state;
  return [segment, String(records), String(sound), last];
}
