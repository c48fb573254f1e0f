import type { ServiceIdentifier } from 'inversify';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the server tells its operator what happens. Never stdout: that belongs to the protocol. */
export interface Logger {
  /** Ask before building fields that cost something. */
  enabled(level: LogLevel): boolean;
  trace(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const Logger: ServiceIdentifier<Logger> = Symbol.for('castellan.Logger');
