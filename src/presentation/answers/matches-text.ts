import type { ShownAnswer } from '../../application/call/shown-answer.js';
import { MAX_LINE } from '../../domain/text/short-lines.js';
import { numberOf, objectsOf, textOf, textsOf } from './json-fields.js';
import { plainName } from './plain-name.js';

type Fields = Readonly<Record<string, unknown>>;

interface Shown {
  readonly lines: string[];
  path: string | undefined;
  /** The last line that was shown of this file. */
  last: number;
  withContext: boolean;
}

/**
 * Matches as ripgrep shows them under headings: the path, then `12:` before a line that matches and `12-` before its
 * neighbours, an empty line between files. A heading is the first line or follows an empty one, and a match never is
 * empty: no line of a file can pass for a heading.
 */
export function showMatches(value: unknown): ShownAnswer {
  const matches = objectsOf(value);
  if (matches.length === 0) return { texts: [], notes: ['No match.'] };
  const withContext = matches.some(
    (match) => [...contextOf(match, 'before'), ...contextOf(match, 'after')].length > 0,
  );
  const shown: Shown = { lines: [], path: undefined, last: 0, withContext };
  for (const [index, match] of matches.entries()) {
    beginFile(shown, textOf(match, 'path'));
    addMatch(shown, match, nextLine(matches, index));
  }
  return { texts: [shown.lines.join('\n')] };
}

function beginFile(shown: Shown, path: string): void {
  if (shown.path === path) return;
  if (shown.path !== undefined) shown.lines.push('');
  shown.lines.push(plainName(path));
  shown.path = path;
  shown.last = 0;
}

/** Neighbours that are matches themselves, or were shown already, are not repeated. */
function addMatch(shown: Shown, match: Fields, next: number): void {
  const line = numberOf(match, 'line') ?? 0;
  const before = contextOf(match, 'before');
  const first = line - before.length;
  if (shown.withContext && shown.last > 0 && first > shown.last + 1) shown.lines.push('--');
  for (const [index, text] of before.entries())
    if (first + index > shown.last) shown.lines.push(`${first + index}-${text}`);
  shown.lines.push(`${line}:${placeIn(match)}${textOf(match, 'text')}`);
  shown.last = line;
  for (const text of contextOf(match, 'after')) {
    if (shown.last + 1 >= next) return;
    shown.last += 1;
    shown.lines.push(`${shown.last}-${text}`);
  }
}

/** The column, as ripgrep shows it, in lines that read_file shows in parts. */
function placeIn(match: Fields): string {
  const column = numberOf(match, 'column') ?? 0;
  return column > MAX_LINE ? `${column}:` : '';
}

/** The line of the next match in the same file. */
function nextLine(matches: readonly Fields[], index: number): number {
  const [match, next] = [matches[index], matches[index + 1]];
  if (match === undefined || next === undefined || match.path !== next.path) return Number.POSITIVE_INFINITY;
  return numberOf(next, 'line') ?? Number.POSITIVE_INFINITY;
}

function contextOf(match: Fields, key: 'before' | 'after'): readonly string[] {
  return textsOf(match, key);
}
