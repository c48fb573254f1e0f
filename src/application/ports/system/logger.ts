import type { ServiceIdentifier } from 'inversify';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, unknown>>;

/** Messages for the server's operator. Never on stdout, which belongs to the protocol. */
export interface Logger {
  /** Check it before building fields that are costly. */
  enabled(level: LogLevel): boolean;
  trace(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const Logger: ServiceIdentifier<Logger> = Symbol.for('castellan.Logger');
