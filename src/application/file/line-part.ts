import { wholeStart } from '../../domain/text/short-lines.js';
import { fittingLines, type Room, type TextPart } from './text-part.js';

/** The line of a part, and where in it the part begins. */
export interface LinePlace {
  /** Counted from 1; undefined if lines were counted from the end. */
  readonly line: number | undefined;
  readonly column: number;
  /** The length of the whole line; undefined if only a part of it was read. */
  readonly length?: number;
}

/** As much of the rest of a line as fits, and how to get the next part. */
export function linePart(rest: string, { line, column, length }: LinePlace, room: Room): TextPart {
  const of = length === undefined ? '' : ` of ${length}`;
  const name = line === undefined ? 'the line' : `line ${line}`;
  if (rest === '' || rest === '\n')
    return { text: '', hint: `There is nothing after character ${column} in ${name}.` };
  const text = fittingStart(rest, room);
  const end = column + text.replace(/\r?\n$/, '').length;
  if (text.length === rest.length) return { text, hint: `Characters ${column + 1}-${end}${of} of ${name}.` };
  const where = line === undefined ? '' : `offset ${line - 1} and `;
  return {
    text,
    hint: `Characters ${column + 1}-${end}${of} of ${name}. Read on with ${where}column ${end}.`,
  };
}

function fittingStart(rest: string, room: Room): string {
  const text = fittingLines(rest, room);
  // Half a surrogate pair belongs to the next part.
  return text.length === rest.length ? text : wholeStart(text, text.length);
}

/** The lines of a text without their first characters. */
export function fromColumn(text: string, column: number): string {
  if (column === 0) return text;
  return text
    .split('\n')
    .map((line) => line.slice(column))
    .join('\n');
}
