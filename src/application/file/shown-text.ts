import { encodedText } from '../../domain/file/encoded-text.js';
import { notebookText } from '../../domain/file/notebook-text.js';
import { sliceLines } from '../../domain/file/text-lines.js';
import type { ReadFileQuery } from './file-content.js';
import { fromColumn, linePart } from './line-part.js';
import { type Room, readableText, type TextPart, withHint } from './text-part.js';

/** For encoded text, this says as much as more lines would. */
const ENCODED_LINES = 5;

/** The requested part of a text, as far as it fits; notebooks as cells. */
export function shownText(text: string, query: ReadFileQuery, room: Room): TextPart {
  if (query.column !== undefined) return columnsOf(text, { ...query, column: query.column }, room);
  const notebook = isNotebook(query.path) ? notebookText(text) : undefined;
  if (notebook !== undefined) {
    const part = readableText(sliceLines(notebook.text, query.offset, query.limit), room);
    return isBeginning(query) ? withHint(part, notebookHint(notebook.cells, notebook.leftOut)) : part;
  }
  const encoded = isBeginning(query) && query.limit === undefined ? encodedText(text) : undefined;
  if (encoded === undefined) return readableText(sliceLines(text, query.offset, query.limit), room);
  const part = readableText(sliceLines(text, 0, ENCODED_LINES), room);
  const size = `${text.length} characters of ${encoded.what}`;
  return withHint(part, `This is ${size}; decode it in a command to see what it is: ${encoded.use}`);
}

/** A line requested by column is shown whole, as far as it fits. */
function columnsOf(
  text: string,
  { offset, limit = 1, column }: ReadFileQuery & { readonly column: number },
  room: Room,
): TextPart {
  const slice = sliceLines(text, offset, limit);
  if (slice.firstLine === 0) return readableText(slice, room);
  const rest = fromColumn(slice.text, column);
  if (slice.lastLine > slice.firstLine) return readableText({ ...slice, text: rest }, room);
  const length = slice.text.replace(/\r?\n$/, '').length;
  return linePart(rest, { line: slice.firstLine, column, length }, room);
}

function isBeginning({ offset = 0 }: ReadFileQuery): boolean {
  return offset === 0;
}

export function isNotebook(path: string): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

function notebookHint(cells: number, leftOut: number): string {
  const without = leftOut === 0 ? '' : ` without ${leftOut} outputs that are no text`;
  return `A notebook of ${cells} cells, shown as text${without}. The other tools see its JSON, where a quote in a cell is \\" and a line ends with \\n: read_file with column 0 and limit 200 shows that.`;
}
