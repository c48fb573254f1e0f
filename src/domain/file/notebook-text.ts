import { isJsonObject } from '../json-value.js';

/** A Jupyter notebook as readable text. */
export interface NotebookText {
  readonly text: string;
  readonly cells: number;
  /** The number of outputs that are not text: images, widgets. */
  readonly leftOut: number;
}

/** Colours of tracebacks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const COLOURS = /\u001b\[[0-9;]*m/g;

/**
 * Cells with their sources and printed text, under headings; undefined if it is not a notebook of format 4.
 */
export function notebookText(json: string): NotebookText | undefined {
  const notebook = parsed(json);
  if (!isJsonObject(notebook) || !Array.isArray(notebook.cells)) return undefined;
  const outputs = { leftOut: 0 };
  const parts = notebook.cells.filter(isJsonObject).map((cell, index) => cellText(cell, index + 1, outputs));
  return { text: parts.join(''), cells: parts.length, leftOut: outputs.leftOut };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // An incomplete notebook, or none: it is shown as plain text.
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function cellText(cell: Fields, number: number, counts: { leftOut: number }): string {
  const run = typeof cell.execution_count === 'number' ? `, run ${cell.execution_count}` : '';
  const kind = typeof cell.cell_type === 'string' ? cell.cell_type : 'cell';
  const printed = (Array.isArray(cell.outputs) ? cell.outputs : []).filter(isJsonObject);
  const shown = printed.map((output) => outputText(output, counts)).filter((text) => text !== '');
  return [
    `## [${number}] ${kind}${run}\n`,
    ended(joined(cell.source)),
    ...(shown.length === 0 ? [] : [`## [${number}] output\n`, ...shown.map(ended)]),
  ].join('');
}

function outputText(output: Fields, counts: { leftOut: number }): string {
  if (output.output_type === 'stream') return joined(output.text);
  if (output.output_type === 'error') return joinedLines(output.traceback).replaceAll(COLOURS, '');
  const data = isJsonObject(output.data) ? output.data : {};
  const plain = data['text/plain'] ?? data['text/markdown'];
  const others = Object.entries(data).filter(([type]) => !type.startsWith('text/'));
  counts.leftOut += others.length;
  const notes = others.map(([type, value]) => `[${type}, ${sizeOf(value)} characters, left out]`);
  return [...(plain === undefined ? [] : [joined(plain)]), ...notes].map(ended).join('');
}

/** A text, or a list of its lines with their ends. */
function joined(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join('') : typeof value === 'string' ? value : '';
}

function joinedLines(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join('\n') : '';
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length;
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
