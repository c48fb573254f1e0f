import type {
  AuditVerdict,
  AuditVerification,
  VerifyAuditQuery,
} from '../../application/audit/verify-audit.js';
import type { SegmentReport } from '../../domain/audit/segment-check.js';
import type { Result } from '../../domain/result.js';
import { type ExitCode, type Output, table } from './output.js';

type Verify = (
  query: VerifyAuditQuery,
  onSegment: (name: string, position: number, of: number) => void,
) => Promise<Result<AuditVerification>>;

/** Above this number segments are summarised; those with problems are always shown. */
const SHOWN_SEGMENTS = 10;

/**
 * `castellan audit verify [FILE]`: checks the log; exits with 1 if something is missing or was tampered with.
 */
export async function auditVerifyCommand(
  verify: Verify,
  file: string | undefined,
  options: { readonly json?: boolean },
  output: Output,
): Promise<ExitCode> {
  const verified = await verify(file === undefined ? {} : { file }, (name, position, of) =>
    output.progress(`Checking ${name} (${position} of ${of}) …`),
  );
  if (!verified.success) {
    output.err(verified.error);
    return 1;
  }
  if (options.json === true) output.out(JSON.stringify(verified.value, undefined, 2));
  else tell(verified.value, output);
  return verified.value.sound ? 0 : 1;
}

function tell({ segments, problems, verdict }: AuditVerification, output: Output): void {
  const remarkable = segments.filter(
    ({ torn, lost, problems: found }) => torn || lost > 0 || found.length > 0,
  );
  const shown = segments.length > SHOWN_SEGMENTS ? remarkable : segments;
  if (shown.length > 0) output.out(table(['SEGMENT', 'RECORDS', 'SOUND', 'STATE'], shown.map(row), output));
  output.out(summary(segments));
  for (const { kind, segment, line, message } of problems) {
    output.err(`${segment}${line === undefined ? '' : `:${line}`}: ${kind}: ${message}`);
  }
  for (const { segment, lost } of segments.filter((report) => report.lost > 0))
    output.out(`${segment}: ${lost} records are missing: they could not be written to disk.`);
  output.out(verdictLine(verdict, output));
}

function verdictLine(verdict: AuditVerdict, output: Output): string {
  switch (verdict) {
    case 'sound':
      return output.paint('green', 'The audit log is sound.');
    case 'incomplete':
      return output.paint('yellow', 'The beginning of the audit log is missing. The rest is sound.');
    case 'tampered':
      return output.paint('red', 'The audit log was tampered with.');
  }
}

function summary(segments: readonly SegmentReport[]): string {
  const sum = (pick: (report: SegmentReport) => number) =>
    segments.reduce((all, report) => all + pick(report), 0);
  const states = new Map<string, number>();
  for (const { state } of segments) states.set(state, (states.get(state) ?? 0) + 1);
  const inStates = [...states].map(([state, count]) => `${count} ${state}`).join(', ');
  return `${segments.length} segments (${inStates}), ${sum(({ records }) => records)} records, ${sum(({ sound }) => sound)} sound.`;
}

function row({ segment, records, sound, torn, state }: SegmentReport): readonly string[] {
  const last = torn
    ? `${state}, torn: the last record is incomplete, as after a crash or with a full disk`
    : state;
  return [segment, String(records), String(sound), last];
}
