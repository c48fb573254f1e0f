import type { Goal, Metric, SubjectResult, SuiteResult } from './bench-suite.js';

export type Verdict =
  | { readonly kind: 'pass' | 'fail'; readonly goal: Goal; readonly figure: number }
  | { readonly kind: 'not-measured'; readonly goal: Goal };

export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined || sorted.length % 2 === 1) return upper;
  return (upper + (sorted[middle - 1] ?? upper)) / 2;
}

export function medianOf(result: SuiteResult, subject: string, metric: string): number | undefined {
  const samples = result.subjects.find((each) => each.subject === subject)?.samples ?? [];
  return median(samples.map((sample) => sample[metric]).filter((value) => value !== undefined));
}

export function judge(goal: Goal, result: SuiteResult): Verdict {
  const figure = figureOf(goal, result);
  if (figure === undefined) return { kind: 'not-measured', goal };
  const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = goal;
  return { kind: figure <= atMost && figure >= atLeast ? 'pass' : 'fail', goal, figure };
}

function figureOf(goal: Goal, result: SuiteResult): number | undefined {
  const { subject, metric, against, moreThan } = goal;
  const own = medianOf(result, subject, metric);
  const other = against ?? moreThan;
  if (own === undefined || other === undefined) return own;
  const base = medianOf(result, other, metric);
  if (base === undefined) return undefined;
  if (against === undefined) return own - base;
  return base === 0 ? undefined : own / base;
}

export function judgeAll(result: SuiteResult): readonly Verdict[] {
  return result.goals.map((goal) => judge(goal, result));
}

export function renderSuite(result: SuiteResult): string {
  const table = renderTable(
    ['', ...result.metrics.flatMap((metric) => [`${metric.title}, ${metric.unit}`, `× ${result.baseline}`])],
    result.subjects.map((subject) => subjectRow(subject, result)),
  );
  const failures = result.subjects
    .filter((each) => each.failure !== undefined)
    .map((each) => `- ${each.subject} stopped: ${oneLine(each.failure ?? '')}`);
  const goals = judgeAll(result).map((verdict) => renderVerdict(verdict, result.metrics));
  const lists = [failures, goals].filter((list) => list.length > 0).map((list) => list.join('\n'));
  return [`## ${result.title}`, result.conditions, table, ...lists].join('\n\n');
}

export function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = header.map((_, column) => (column === 0 ? '---' : '---:'));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [header, rule, ...rows].map(line).join('\n');
}

/** Three significant digits, and never the exponent that toPrecision gives large numbers. */
export function formatFigure(value: number): string {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

export function renderVerdict(verdict: Verdict, metrics: readonly Metric[]): string {
  const { goal } = verdict;
  const unit = metrics.find((metric) => metric.id === goal.metric)?.unit ?? '';
  const more = goal.moreThan === undefined ? unit : `${unit} more than ${goal.moreThan}`;
  const measure = goal.against === undefined ? more : `× ${goal.against}`;
  const bounds = [
    ...(goal.atLeast === undefined ? [] : [`at least ${goal.atLeast}`]),
    ...(goal.atMost === undefined ? [] : [`at most ${goal.atMost}`]),
  ];
  const wanted = `goal: ${bounds.join(' and ')} ${measure}`;
  if (verdict.kind === 'not-measured') return `- NOT MEASURED ${goal.title} (${wanted})`;
  return `- ${verdict.kind.toUpperCase()} ${goal.title}: ${formatFigure(verdict.figure)} ${measure} (${wanted})`;
}

function subjectRow(subject: SubjectResult, result: SuiteResult): string[] {
  const cells = result.metrics.flatMap((metric) => {
    const own = medianOf(result, subject.subject, metric.id);
    const base = medianOf(result, result.baseline, metric.id);
    if (own === undefined) return ['–', '–'];
    return [formatFigure(own), base === undefined || base === 0 ? '–' : formatFigure(own / base)];
  });
  return [subject.subject, ...cells];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 300);
}
