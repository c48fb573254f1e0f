import type { Redactor } from '../../application/ports/audit/redactor.js';
import type { LogFields, Logger, LogLevel } from '../../application/ports/system/logger.js';
import { asError } from '../../domain/thrown.js';

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/** As terminals number them. */
const [DIM, YELLOW, RED] = [2, 33, 31];

const WORDS: Readonly<Record<LogLevel, readonly [string, number]>> = {
  trace: ['trace', DIM],
  debug: ['debug', DIM],
  info: ['info', DIM],
  warn: ['warning', YELLOW],
  error: ['error', RED],
};

/** Lines for a person at a terminal. Redacted like every log, and nothing in them steers the terminal. */
export class TerminalLogger implements Logger {
  constructor(
    private readonly level: () => LogLevel | 'silent',
    private readonly redactor: Redactor,
    private readonly colour: boolean,
    private readonly write: (line: string) => void,
  ) {}

  enabled(level: LogLevel): boolean {
    const least = this.level();
    return least !== 'silent' && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
  }

  trace(message: string, fields?: LogFields): void {
    this.#write('trace', message, fields);
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields);
  }

  #write(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (!this.enabled(level)) return;
    const [word, colour] = WORDS[level];
    const text = harmless(`${this.redactor.text(message)}${this.#details(fields)}`);
    this.write(`${this.colour ? `\u001b[${colour}m${word}:\u001b[0m` : `${word}:`} ${text}\n`);
  }

  #details({ error, ...fields }: LogFields): string {
    const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(this.redactor.value(fields))}`;
    if (error === undefined) return rest;
    const { message, stack = message } = asError(error);
    // Where the fault is, is for whoever looks for it.
    return `${rest} (${this.redactor.text(this.enabled('debug') ? stack : message)})`;
  }
}

function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, (control) => JSON.stringify(control).slice(1, -1));
}
