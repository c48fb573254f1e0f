import type { LogFields, Logger, LogLevel } from '../application/ports/system/logger.js';

export interface LogRecord {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields?: LogFields;
}

/** Keeps what was logged, in order. */
export class RecordingLogger implements Logger {
  readonly records: LogRecord[] = [];

  enabled(): boolean {
    return true;
  }

  trace(message: string, fields?: LogFields): void {
    this.#keep('trace', message, fields);
  }

  debug(message: string, fields?: LogFields): void {
    this.#keep('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#keep('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#keep('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#keep('error', message, fields);
  }

  #keep(level: LogLevel, message: string, fields: LogFields | undefined): void {
    this.records.push({ level, message, ...(fields && { fields }) });
  }
}
