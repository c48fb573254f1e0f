import type { AuditFilter, AuditTailRecord, TailAuditQuery } from '../../application/audit/tail-audit.js';
import { isJsonObject } from '../../domain/json-value.js';
import type { Result } from '../../domain/result.js';
import { type ExitCode, type Output, table } from './output.js';

type Tail = (query: TailAuditQuery) => Promise<Result<readonly AuditTailRecord[]>>;

export interface AuditTailOptions {
  readonly count?: string;
  readonly caller?: string;
  readonly tool?: string;
  /** Only records from this time on, in milliseconds since 1970. */
  readonly since?: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** The clock for following: the time, and a wait that resolves to false when following ends. */
export interface FollowClock {
  now(): number;
  wait(ms: number): Promise<boolean>;
}

const USUAL_RECORDS = 20;
const MOST_RECORDS = 10_000;
const POLL_MS = 1000;
/** A record reaches the disk a moment after its own time. */
const LATE_MS = 5000;

/** `castellan audit tail [FILE]`: the last records, oldest first; with --follow, also new ones. */
export async function auditTailCommand(
  tail: Tail,
  file: string | undefined,
  options: AuditTailOptions,
  output: Output,
  clock: FollowClock,
): Promise<ExitCode> {
  const usual = options.since === undefined ? USUAL_RECORDS : MOST_RECORDS;
  const count = Number(options.count ?? usual);
  if (!Number.isInteger(count) || count < 1 || count > MOST_RECORDS) {
    output.err(`--count must be a whole number from 1 to ${MOST_RECORDS}; got ${options.count}.`);
    return 2;
  }
  const { caller, tool, since } = options;
  const filter: AuditFilter = {
    ...(caller !== undefined && { caller }),
    ...(tool !== undefined && { tool }),
    ...(since !== undefined && { since: new Date(since).toISOString() }),
  };
  const place = file === undefined ? {} : { file };
  const startedAt = clock.now();
  const records = await tail({ count, ...place, ...filter });
  if (!records.success) {
    output.err(records.error);
    return 1;
  }
  show(records.value, options, output);
  if (options.follow !== true) return 0;
  return follow(
    (from) => tail({ ...place, ...filter, count: MOST_RECORDS, since: from }),
    records.value,
    startedAt,
    options,
    output,
    clock,
  );
}

/**
 * Shows each record once. Those of the last seconds are read again, because several servers write
 * concurrently.
 */
async function follow(
  tail: (since: string) => ReturnType<Tail>,
  shownAlready: readonly AuditTailRecord[],
  startedAt: number,
  options: AuditTailOptions,
  output: Output,
  clock: FollowClock,
): Promise<ExitCode> {
  let seen = new Set(shownAlready.map((record) => JSON.stringify(record)));
  let askedAt = startedAt;
  while (await clock.wait(POLL_MS)) {
    const since = Math.max(askedAt - LATE_MS, startedAt, options.since ?? 0);
    askedAt = clock.now();
    const records = await tail(new Date(since).toISOString());
    if (!records.success) {
      output.err(records.error);
      return 1;
    }
    const news = records.value.filter((record) => !seen.has(JSON.stringify(record)));
    seen = new Set([...records.value, ...shownAlready].map((record) => JSON.stringify(record)));
    if (news.length > 0) show(news, options, output);
  }
  return 0;
}

function show(records: readonly AuditTailRecord[], { json }: AuditTailOptions, output: Output): void {
  if (json === true) for (const record of records) output.out(JSON.stringify(record));
  else output.out(table(['TIME', 'RECORD', 'TOOL', 'DECISION', 'RESULT'], records.map(row), output));
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

/** A record may contain a caller's text: nothing in it may control the terminal. */
function shown(value: unknown): string {
  if (value === undefined) return '-';
  return String(value).replaceAll(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
}
