export type LineEnding = '\n' | '\r\n' | '\r';

export interface LineSlice {
  readonly text: string;
  /** Counted from 1; 0 if the slice is empty. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly totalLines: number;
  readonly more: boolean;
}

/** The most frequent line ending; `\n` if there is none. */
export function detectLineEnding(text: string): LineEnding {
  const windows = count(text, '\r\n');
  const unix = count(text, '\n') - windows;
  const old = count(text, '\r') - windows;
  if (windows > unix && windows >= old) return '\r\n';
  return old > unix && old > windows ? '\r' : '\n';
}

/** Skips `offset` lines, counted from the end if negative. Line endings are kept. */
export function sliceLines(text: string, offset = 0, limit = Number.POSITIVE_INFINITY): LineSlice {
  const starts = lineStarts(text);
  const total = starts.length;
  const from = Math.min(total, offset < 0 ? Math.max(0, total + offset) : offset);
  const to = Math.min(total, from + limit);
  const slice = to > from ? text.slice(starts[from] ?? text.length, starts[to] ?? text.length) : '';
  const empty = to <= from;
  return {
    text: slice,
    firstLine: empty ? 0 : from + 1,
    lastLine: empty ? 0 : to,
    totalLines: total,
    more: to < total,
  };
}

export function lineOfIndex(text: string, index: number): number {
  return count(text.slice(0, index), '\n') + 1;
}

/**
 * A line ends with `\n`, or with `\r` in files without `\n`; there is no empty line after the last line end.
 */
function lineStarts(text: string): readonly number[] {
  if (text === '') return [];
  const mark = text.includes('\n') || !text.includes('\r') ? '\n' : '\r';
  const starts = [0];
  for (let at = text.indexOf(mark); at >= 0 && at + 1 < text.length; at = text.indexOf(mark, at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}
