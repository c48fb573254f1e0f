import type { AuditTailRecord, TailAuditQuery } from '../../application/audit/tail-audit.js';
import { isJsonObject } from '../../domain/json-value.js';
import type { Result } from '../../domain/result.js';
import { type ExitCode, type Output, table } from './output.js';

type Tail = (query: TailAuditQuery) => Promise<Result<readonly AuditTailRecord[]>>;

const MOST_RECORDS = 10_000;

/** `castellan audit tail [FILE]`: the last records, oldest first. */
export async function auditTailCommand(
  tail: Tail,
  file: string | undefined,
  options: { readonly count: string; readonly json?: boolean },
  output: Output,
): Promise<ExitCode> {
  const count = Number(options.count);
  if (!Number.isInteger(count) || count < 1 || count > MOST_RECORDS) {
    output.err(`--count must be a whole number from 1 to ${MOST_RECORDS}; got ${options.count}.`);
    return 2;
  }
  const records = await tail({ count, ...(file !== undefined && { file }) });
  if (!records.success) {
    output.err(records.error);
    return 1;
  }
  if (options.json === true) for (const record of records.value) output.out(JSON.stringify(record));
  else output.out(table(['TIME', 'RECORD', 'TOOL', 'DECISION', 'RESULT'], records.value.map(row), output));
  return 0;
}

function row(record: AuditTailRecord): readonly string[] {
  const decision = isJsonObject(record.decision) ? record.decision : {};
  const outcome = isJsonObject(record.outcome) ? record.outcome : {};
  return [
    shown(record.time),
    shown(record.kind),
    shown(record.tool),
    [decision.effect, decision.reason]
      .filter((part) => part !== undefined)
      .map(shown)
      .join(' '),
    [
      outcome.kind,
      outcome.error_type,
      outcome.refused === undefined ? undefined : `${outcome.refused} refused`,
    ]
      .filter((part) => part !== undefined)
      .map(shown)
      .join(' '),
  ];
}

/** A record may hold what a caller sent: nothing in it may steer the terminal. */
function shown(value: unknown): string {
  if (value === undefined) return '-';
  return String(value).replaceAll(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
}
