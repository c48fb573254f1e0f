import type { LineSlice } from '../../domain/file/text-lines.js';
import { MAX_LINE, shortLines, wholeStart } from '../../domain/text/short-lines.js';
import { fittingLength } from '../../domain/text/token-estimate.js';

/** The space in a result. */
export interface Room {
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
}

/** Some lines of a file, and how to get the next ones. */
export interface TextPart {
  readonly text: string;
  /** Tells the agent that this is not all, and how to continue. */
  readonly hint?: string;
  /** Lines to skip to continue; undefined at the end of the file. */
  readonly nextOffset?: number;
}

/** The lines of a slice that fit a result; complete lines if at least one fits. */
export function readableText(slice: LineSlice, room: Room): TextPart {
  const { firstLine, lastLine, totalLines, more } = slice;
  const { text, longest } = shortLines(slice.text);
  const part = fittingPart(text, { firstLine, lastLine, totalLines, more }, room);
  return longest === undefined
    ? part
    : withHint(part, longLineHint(firstLine - 1 + longest.line, longest.length));
}

/** Puts the note about a long line before the note about the rest. */
export function withHint(part: TextPart, hint: string): TextPart {
  return { ...part, hint: part.hint === undefined ? hint : `${hint} ${part.hint}` };
}

export function longLineHint(line: number, length: number): string {
  return `Line ${line} has ${length} characters, as minified or encoded text has; ${MAX_LINE} of each long line are shown. Read on in it with offset ${line - 1} and column ${MAX_LINE}; search_content tells the column of a place in it.`;
}

function fittingPart(text: string, slice: Omit<LineSlice, 'text'>, room: Room): TextPart {
  const { firstLine, lastLine, totalLines, more } = slice;
  if (firstLine === 0) {
    return totalLines === 0
      ? { text }
      : { text, hint: `The offset is past the end of the file (${totalLines} lines).` };
  }
  const fitting = fittingLines(text, room);
  if (fitting.length === text.length) {
    if (!more) return { text };
    return { text, hint: shownLines(firstLine, lastLine, totalLines), nextOffset: lastLine };
  }
  const shown = firstLine - 1 + countLines(fitting);
  if (!fitting.endsWith('\n'))
    return { text: fitting, hint: longLine(firstLine, room.bytes), nextOffset: firstLine };
  return { text: fitting, hint: shownLines(firstLine, shown, totalLines), nextOffset: shown };
}

export function shownLines(first: number, last: number, total: number | undefined): string {
  const shown = total === undefined ? `Lines ${first}-${last}` : `Lines ${first}-${last} of ${total}`;
  return `${first === 1 && total !== undefined ? `${last} of ${total} lines` : shown}. Read on with offset ${last}.`;
}

export function longLine(line: number, maxBytes: number): string {
  return `Line ${line} is longer than the ${describeBytes(maxBytes)} an answer may have and was cut. The next line is at offset ${line}; search_content finds a place within a long line.`;
}

export function describeBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const unit = bytes < 1024 ** 2 ? 'KiB' : bytes < 1024 ** 3 ? 'MiB' : 'GiB';
  const size = bytes / 1024 ** (unit === 'KiB' ? 1 : unit === 'MiB' ? 2 : 3);
  return `${Number(size.toFixed(1))} ${unit}`;
}

export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** As much as fits, up to the end of a line, or of a character if the first line is too long. */
export function fittingLines(text: string, { bytes, tokens }: Room): string {
  const length = Math.min(fittingBytes(text, bytes), fittingLength(text, tokens));
  if (length >= text.length) return text;
  const end = text.lastIndexOf('\n', length - 1);
  return end < 0 ? wholeStart(text, length) : text.slice(0, end + 1);
}

/** The number of characters that take at most that many bytes in UTF-8. */
function fittingBytes(text: string, maxBytes: number): number {
  // No character takes more than three bytes per UTF-16 unit.
  if (text.length * 3 <= maxBytes) return text.length;
  const room = new Uint8Array(Math.min(maxBytes, text.length * 3));
  return new TextEncoder().encodeInto(text, room).read;
}
