import type { LogFields, LogLevel } from '../../application/ports/system/logger.js';
import { asError } from '../../domain/thrown.js';
import type { LogSink } from './log-sink.js';

/** As terminals number them. */
const [DIM, YELLOW, RED] = [2, 33, 31];

const WORDS: Readonly<Record<LogLevel, readonly [string, number]>> = {
  trace: ['trace', DIM],
  debug: ['debug', DIM],
  info: ['info', DIM],
  warn: ['warning', YELLOW],
  error: ['error', RED],
};

export interface TerminalOptions {
  readonly colour: boolean;
  /** Whether errors are shown with their stacks; asked for each line. */
  readonly withStacks: () => boolean;
  readonly write: (line: string) => void;
}

/** Lines for a person at a terminal. Nothing in them steers the terminal. */
export function terminalSink({ colour, withStacks, write }: TerminalOptions): LogSink {
  return (level, message, fields = {}) => {
    const [word, number] = WORDS[level];
    const text = harmless(`${message}${details(fields, withStacks())}`);
    write(`${colour ? `\u001b[${number}m${word}:\u001b[0m` : `${word}:`} ${text}\n`);
  };
}

function details({ error, ...fields }: LogFields, withStacks: boolean): string {
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  if (error === undefined) return rest;
  const { message, stack = message } = asError(error);
  return `${rest} (${withStacks && stack !== '' ? stack : message})`;
}

function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, (control) => JSON.stringify(control).slice(1, -1));
}
