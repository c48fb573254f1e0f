import type { ArgumentValues } from '../../application/call/runnable-tool.js';
import type { ShownAnswer } from '../../application/call/shown-answer.js';
import { wholeOutput } from '../../application/command/command-answer.js';
import { isJsonObject } from '../../domain/json-value.js';
import { type ShortLines, shortLines } from '../../domain/text/short-lines.js';
import { numberOf, textOf } from './json-fields.js';
import { plainOutput } from './plain-output.js';
import { valueText } from './value-text.js';

/** Faster than this, nobody asks how long it took. */
const NOTEWORTHY_MS = 1_000;

/** The sandbox is the same for every command: system_info names it. */
const SHOWN = new Set([
  'stdout',
  'stderr',
  'exit_code',
  'process_id',
  'cursor',
  'output_id',
  'duration_ms',
  'truncated',
  'sandbox',
]);

/**
 * The raw output, standard output and standard error in a block each. What the server adds is only what matters: an
 * exit code other than 0, which block is which, and the time of a long run.
 */
export function showCommand(value: unknown): ShownAnswer {
  const fields = isJsonObject(value) ? value : {};
  const lines = [readable(textOf(fields, 'stdout')), readable(textOf(fields, 'stderr'))] as const;
  const outputs = [lines[0].text, lines[1].text] as const;
  const rest = wholeOutput(textOf(fields, 'output_id') || textOf(fields, 'process_id') || undefined);
  const texts = outputs.filter((output) => output !== '');
  const exitCode = numberOf(fields, 'exit_code') ?? 0;
  const note = [
    runningText(fields) || exitText(exitCode, texts),
    orderText(outputs),
    timeText(fields),
  ].filter((part) => part !== '');
  const others = Object.entries(fields).filter(([key]) => !SHOWN.has(key));
  return {
    texts,
    keep: 'ends',
    rest,
    notes: [
      ...(note.length === 0 ? [] : [note.join('; ')]),
      ...(lines.some(({ longest }) => longest !== undefined) ? [longLines(rest)] : []),
      ...(others.length === 0 ? [] : [valueText(Object.fromEntries(others))]),
    ],
  };
}

function longLines(rest: string): string {
  return rest.replace('The middle of the output was cut', 'Lines of more than 2,000 characters were cut');
}

/** A page of what a process printed, and how it is. A page asked for by its cursor fits already, and is shown as it is. */
export function showProcess(value: unknown, { cursor: asked }: ArgumentValues): ShownAnswer {
  const fields = isJsonObject(value) ? value : {};
  const printed = plainOutput(textOf(fields, 'output'));
  const { text: output, longest } = asked === undefined ? shortLines(printed) : { text: printed };
  const rest = wholeOutput(textOf(fields, 'process_id'), pageStart(fields));
  const exitCode = numberOf(fields, 'exit_code');
  const skipped = numberOf(fields, 'skipped_bytes');
  const note = [
    `${textOf(fields, 'state')}${exitCode === undefined ? '' : `, exit code ${exitCode}`}`,
    `cursor ${numberOf(fields, 'cursor') ?? 0}`,
    ...(skipped === undefined ? [] : [`${skipped} bytes before this are not kept`]),
    ...(output === '' ? ['no new output'] : []),
  ];
  const cut = longest === undefined ? [] : [longLines(rest)];
  return { texts: output === '' ? [] : [output], keep: 'ends', rest, notes: [note.join('; '), ...cut] };
}

/** Where the output of a page began. */
function pageStart(fields: Readonly<Record<string, unknown>>): number {
  return Math.max(0, (numberOf(fields, 'cursor') ?? 0) - Buffer.byteLength(textOf(fields, 'output')));
}

/** What a program printed, without what only a terminal understands, and with long lines cut. */
function readable(output: string): ShortLines {
  return shortLines(plainOutput(output));
}

/** Empty for a command that has ended. */
function runningText(fields: Readonly<Record<string, unknown>>): string {
  const id = textOf(fields, 'process_id');
  return id === '' ? '' : `running as ${id}, cursor ${numberOf(fields, 'cursor') ?? 0}`;
}

function exitText(exitCode: number, texts: readonly string[]): string {
  if (exitCode !== 0) return `exit code ${exitCode}${texts.length === 0 ? ', no output' : ''}`;
  return texts.length === 0 ? 'exit code 0, no output' : '';
}

function orderText([stdout, stderr]: readonly [string, string]): string {
  return stdout !== '' && stderr !== '' ? 'second block: stderr' : '';
}

function timeText(fields: Readonly<Record<string, unknown>>): string {
  const ms = numberOf(fields, 'duration_ms') ?? 0;
  return ms >= NOTEWORTHY_MS || fields.truncated === true ? `${(ms / 1000).toFixed(1)} s` : '';
}
