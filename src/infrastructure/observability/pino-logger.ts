import { type DestinationStream, destination, type Logger as Pino, pino } from 'pino';
import type { Redactor } from '../../application/ports/audit/redactor.js';
import type { LogFields, Logger, LogLevel } from '../../application/ports/system/logger.js';
import { asError } from '../../domain/thrown.js';

const STDERR = 2;
/** Lines waiting for a reader of stderr that does not read; beyond it they are dropped, not buffered. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** JSON lines, so that a newline in a message cannot forge a record; redacted before they are written. */
export class PinoLogger implements Logger {
  readonly #pino: Pino;
  readonly #stream: DestinationStream & { flushSync?(): void };

  constructor(
    level: LogLevel | 'silent',
    private readonly redactor: Redactor,
    stream: DestinationStream = destination({ dest: STDERR, sync: false, maxLength: MAX_WAITING_BYTES }),
  ) {
    this.#stream = stream;
    this.#pino = pino({ level, base: null }, stream);
  }

  enabled(level: LogLevel): boolean {
    return this.#pino.isLevelEnabled(level);
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

  /** Writes out what waits; for the moment before the process ends. */
  flush(): void {
    this.#stream.flushSync?.();
  }

  #write(level: LogLevel, message: string, fields: LogFields | undefined): void {
    if (!this.#pino.isLevelEnabled(level)) return;
    this.#pino[level](fields === undefined ? {} : this.#redacted(fields), this.redactor.text(message));
  }

  #redacted({ error, ...fields }: LogFields): object {
    return { fields: this.redactor.value(fields), ...(error !== undefined && { error: this.#told(error) }) };
  }

  #told(thrown: unknown): object {
    const { name, message, stack = '' } = asError(thrown);
    if (!(thrown instanceof Error)) return { message: this.redactor.text(message) };
    return { type: name, message: this.redactor.text(message), stack: this.redactor.text(stack) };
  }
}
