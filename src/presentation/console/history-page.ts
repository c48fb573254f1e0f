import type { AuditVerification } from '../../application/audit/verify-audit.js';
import { isJsonObject } from '../../domain/json-value.js';
import { rows, table } from './approvals-page.js';
import { type Fragment, Html, html } from './html.js';

type AuditedRecord = Readonly<Record<string, unknown>>;

export const OUTCOMES = ['success', 'failure', 'refused', 'cancelled', 'timeout'] as const;

/** What the person wants to see; empty: everything. */
export interface HistoryFilter {
  readonly tool: string;
  readonly caller: string;
  readonly outcome: string;
}

export interface HistoryParts {
  readonly filter: HistoryFilter;
  /** The newest first; or why they cannot be shown. */
  readonly records: readonly AuditedRecord[] | string;
  readonly verified?: AuditVerification | string | undefined;
}

/** The record of calls, and whether it is whole. */
export function historyPage({ filter, records, verified }: HistoryParts): Html {
  const shown = typeof records === 'string' ? html`<p class="warning">${records}</p>` : recordTable(records);
  return html`${filterForm(filter)}
<form method="get" action="history"><input type="hidden" name="verify" value="1"><button>Verify the chain</button></form>
${verified !== undefined && verdict(verified)}
${shown}`;
}

function filterForm({ tool, caller, outcome }: HistoryFilter): Html {
  const options = ['', ...OUTCOMES].map(
    (name) =>
      html`<option value="${name}"${name === outcome && new Html(' selected')}>${name === '' ? 'any' : name}</option>`,
  );
  return html`<form method="get" action="history" class="filter">
<label>Tool <input name="tool" value="${tool}"></label>
<label>Caller <input name="caller" value="${caller}"></label>
<label>Outcome <select name="outcome">${options}</select></label>
<button>Show</button></form>`;
}

function verdict(verified: AuditVerification | string): Html {
  if (typeof verified === 'string') return html`<p class="warning">${verified}</p>`;
  const { sound, segments, problems } = verified;
  const records = segments.reduce((sum, segment) => sum + segment.records, 0);
  if (sound) return html`<p>The chain is whole: ${records} records in ${segments.length} segments.</p>`;
  return html`<p class="warning">The chain is not whole.</p><ul>${problems
    .slice(0, 20)
    .map(({ segment, message }) => html`<li>${segment}: ${message}</li>`)}</ul>`;
}

function recordTable(records: readonly AuditedRecord[]): Html {
  if (records.length === 0) return html`<p>No call is recorded that fits.</p>`;
  const head = ['Time', 'Tool', 'Caller', 'Outcome', 'Decision', 'Took'];
  return table('Calls, the newest first', head, rows(records.map(cellsOf)));
}

function cellsOf(record: AuditedRecord): readonly Fragment[] {
  const outcome = isJsonObject(record.outcome) ? record.outcome : {};
  const duration = outcome.duration_ms;
  return [
    text(record.time).replace('T', ' ').slice(0, 19),
    text(record.tool),
    text(record.principal) || text(record.caller),
    text(outcome.kind),
    decisionCell(record),
    typeof duration === 'number' ? `${Math.round(duration * 10) / 10} ms` : '',
  ];
}

function decisionCell({ decision, consent, kept, arguments: args }: AuditedRecord): Fragment {
  const { effect, reason, rule } = isJsonObject(decision) ? decision : {};
  const known = text(reason);
  if (known === '') return html`${text(effect)}${text(consent) !== '' && ` (${text(consent)})`}`;
  const shown = isJsonObject(args) && isJsonObject(args.kept) ? args.kept : kept;
  return html`<details><summary>${known}</summary>${text(rule) !== '' && html`<p>${text(rule)}</p>`}
${shown !== undefined && html`<pre>${JSON.stringify(shown, undefined, 1)}</pre>`}</details>`;
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
