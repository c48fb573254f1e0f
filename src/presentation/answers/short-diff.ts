import { MAX_LINE } from '../../domain/text/short-lines.js';

/** Characters shown before and after a change within a long line. */
const AROUND = 200;
const MAX_HUNKS = 3;
/** Up to here every hunk is shown. */
const MAX_CHARACTERS = 4_000;
const MAX_SHOWN = 12_000;
const THE_REST = 'read_file shows the rest in its place.';

const LONG_LINES = 'Long lines are shown around the change; read_file with column shows the rest.';

export interface ShownDiff {
  readonly text: string;
  /** What was left out. */
  readonly note?: string;
}

/** A unified diff that a model can afford: long lines around the change only, and of very much the beginning. */
export function shortDiff(diff: string): ShownDiff {
  const lines = diff.split('\n');
  const text = shortened(lines).join('\n');
  const starts = [...text.matchAll(/^@@ /gm)].map(({ index }) => index);
  const hunksEnd = text.length <= MAX_CHARACTERS ? undefined : starts[MAX_HUNKS];
  const shown = text.slice(0, hunksEnd);
  const notes = lines.some(({ length }) => length > MAX_LINE) ? [LONG_LINES] : [];
  if (hunksEnd !== undefined) notes.push(`${MAX_HUNKS} of ${starts.length} hunks are shown; ${THE_REST}`);
  if (shown.length <= MAX_SHOWN) return { text: shown, ...noted(notes) };
  const end = shown.lastIndexOf('\n', MAX_SHOWN) + 1;
  const count = (part: string): number => part.split('\n').length - 1;
  const cut = `${count(shown.slice(0, end))} of ${count(shown)} lines of the diff are shown; ${THE_REST}`;
  return { text: shown.slice(0, end), ...noted([...notes, cut]) };
}

function noted(notes: readonly string[]): Pick<ShownDiff, 'note'> {
  return notes.length === 0 ? {} : { note: notes.join(' ') };
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
