import { MAX_LINE } from '../../domain/text/short-lines.js';

/** Characters shown before and after a change within a long line. */
const AROUND = 200;
const MAX_HUNKS = 3;
/** Up to here every hunk is shown. */
const MAX_CHARACTERS = 8_000;

export interface ShownDiff {
  readonly text: string;
  /** What was left out. */
  readonly note?: string;
}

/** A unified diff that a model can afford: long lines around the change only, and of very many hunks the first three. */
export function shortDiff(diff: string): ShownDiff {
  const text = shortened(diff.split('\n')).join('\n');
  const starts = [...text.matchAll(/^@@ /gm)].map(({ index }) => index);
  const end = starts[MAX_HUNKS];
  if (text.length <= MAX_CHARACTERS || end === undefined) return { text };
  const added = [...diff.matchAll(/^\+(?!\+\+)/gm)].length;
  return {
    text: text.slice(0, end),
    note: `${MAX_HUNKS} of ${starts.length} hunks are shown; ${added} lines were written in all.`,
  };
}

function shortened(lines: readonly string[]): readonly string[] {
  // A last line without an end is followed by a line that says so, which belongs to no pair.
  const paired = lines.filter((line) => !line.startsWith('\\'));
  let at = -1;
  return lines.map((line) => {
    if (!line.startsWith('\\')) at += 1;
    if (line.length <= MAX_LINE) return line;
    const other = counterpart(paired, at);
    return other === undefined ? start(line) : aroundChange(line, other);
  });
}

/** The line that takes the place of a removed one, or the one it took the place of. */
function counterpart(lines: readonly string[], index: number): string | undefined {
  const own = lines[index]?.[0];
  if (own !== '-' && own !== '+') return undefined;
  let first = index;
  while (lines[first - 1]?.startsWith(own)) first -= 1;
  let other = first;
  if (own === '-') while (lines[other]?.startsWith('-')) other += 1;
  else while (lines[other - 1]?.startsWith('-')) other -= 1;
  const found = lines[other + index - first];
  return found?.startsWith(own === '-' ? '+' : '-') ? found : undefined;
}

function aroundChange(line: string, other: string): string {
  let from = 1;
  while (from < line.length && line[from] === other[from]) from += 1;
  let same = 0;
  const most = Math.min(line.length, other.length) - from;
  while (same < most && line.at(-1 - same) === other.at(-1 - same)) same += 1;
  const [first, last] = [Math.max(1, from - AROUND), Math.min(line.length, line.length - same + AROUND)];
  const shown = line.slice(first, last);
  return [
    line[0],
    first > 1 ? `[… ${first - 1} characters] ` : '',
    shown.length > MAX_LINE ? start(shown) : shown,
    last < line.length ? ` [… ${line.length - last} characters]` : '',
  ].join('');
}

function start(line: string): string {
  return `${line.slice(0, MAX_LINE)}[… ${line.length - MAX_LINE} characters more]`;
}
