import type { LogFields, Logger, LogLevel } from '../../application/ports/system/logger.js';

/** Writes one line, whatever its level. */
export type LogSink = (level: LogLevel, message: string, fields?: LogFields) => void;

/** The levels in which a logger is asked, over one function that writes. */
export abstract class SinkLogger implements Logger {
  abstract enabled(level: LogLevel): boolean;
  protected abstract write(...line: Parameters<LogSink>): void;

  trace(message: string, fields?: LogFields): void {
    this.#pass('trace', message, fields);
  }

  debug(message: string, fields?: LogFields): void {
    this.#pass('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#pass('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#pass('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#pass('error', message, fields);
  }

  #pass(level: LogLevel, message: string, fields: LogFields | undefined): void {
    if (!this.enabled(level)) return;
    if (fields === undefined) this.write(level, message);
    else this.write(level, message, fields);
  }
}
