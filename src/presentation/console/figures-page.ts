import { isJsonObject } from '../../domain/json-value.js';
import { rows, table } from './approvals-page.js';
import { text } from './history-page.js';
import { Html, html } from './html.js';

type AuditedRecord = Readonly<Record<string, unknown>>;

interface ToolFigures {
  calls: number;
  readonly durations: number[];
  bytes: number;
}

const BARS = 12;
const WIDTH = 640;
const ROW = 26;
const LABEL = 190;
const VALUE = 70;

/** Counts, durations and sizes of the calls that are given, drawn here. */
export function figuresPage(records: readonly AuditedRecord[] | string): Html {
  if (typeof records === 'string') return html`<p class="warning">${records}</p>`;
  const outcomes = records.filter(({ kind }) => kind === 'outcome');
  if (outcomes.length === 0) return html`<p>No call is recorded yet.</p>`;
  const [tools, reasons] = count(outcomes);
  const times = [...tools].map(([name, { durations }]) => [name, share(durations, 0.95)] as const);
  const cells = [...tools].map(([name, { calls, durations, bytes }]) => [
    name,
    calls,
    milliseconds(share(durations, 0.5)),
    milliseconds(share(durations, 0.95)),
    `${Math.round(bytes / 1024)} KiB`,
  ]);
  return html`<p>The last ${outcomes.length} calls in the audit log.</p>
${chart(
  'Calls by tool',
  [...tools].map(([name, { calls }]) => [name, calls] as const),
  String,
)}
${chart('Refusals by reason', [...reasons], String)}
${chart('Duration by tool, 95 of 100 are shorter', times, milliseconds)}
${table('By tool', ['Tool', 'Calls', 'Half are shorter', '95 of 100 are shorter', 'Answers'], rows(cells))}`;
}

function count(records: readonly AuditedRecord[]) {
  const tools = new Map<string, ToolFigures>();
  const reasons = new Map<string, number>();
  for (const { tool, outcome, decision } of records) {
    const { duration_ms: duration, bytes, kind } = isJsonObject(outcome) ? outcome : {};
    const figures = tools.get(text(tool)) ?? { calls: 0, durations: [], bytes: 0 };
    figures.calls += 1;
    if (typeof duration === 'number') figures.durations.push(duration);
    if (typeof bytes === 'number') figures.bytes += bytes;
    tools.set(text(tool), figures);
    const reason = isJsonObject(decision) ? text(decision.reason) : '';
    if (kind === 'refused' && reason !== '') reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [tools, reasons] as const;
}

function share(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function milliseconds(value: number): string {
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
}

/** Bars with their figures beside them; colours are the page's. */
function chart(
  title: string,
  values: readonly (readonly [name: string, value: number])[],
  shown: (value: number) => string,
): Html {
  const bars = [...values].sort(([, one], [, other]) => other - one).slice(0, BARS);
  if (bars.length === 0) return html`<h2>${title}</h2><p>None.</p>`;
  const most = Math.max(...bars.map(([, value]) => value), Number.MIN_VALUE);
  const height = bars.length * ROW;
  const lines = bars.map(([name, value], index) => {
    const width = Math.max(1, Math.round((value / most) * (WIDTH - LABEL - VALUE)));
    const y = index * ROW;
    return html`<text x="0" y="${y + 17}">${name.slice(0, 24)}</text><rect x="${LABEL}" y="${y + 4}" width="${width}" height="${ROW - 8}" rx="3"/><text x="${LABEL + width + 6}" y="${y + 17}">${shown(value)}</text>`;
  });
  const summary = bars.map(([name, value]) => `${name} ${shown(value)}`).join(', ');
  return html`<h2>${title}</h2><div class="wide" tabindex="0" role="region" aria-label="${title}, drawn"><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}: ${summary}" preserveAspectRatio="xMinYMin meet"><g${new Html(' class="bars"')}>${lines}</g></svg></div>`;
}
