import type { Redactor } from '../../application/ports/audit/redactor.js';
import type { LogFields, Logger, LogLevel } from '../../application/ports/system/logger.js';
import { isJsonObject } from '../../domain/json-value.js';
import { asError } from '../../domain/thrown.js';
import { SinkLogger } from './log-sink.js';

/** Takes secrets out of every line before a logger sees it, ours or an embedder's. */
export class RedactingLogger extends SinkLogger {
  constructor(
    private readonly logger: Logger,
    private readonly redactor: Redactor,
  ) {
    super();
  }

  enabled(level: LogLevel): boolean {
    return this.logger.enabled(level);
  }

  protected write(level: LogLevel, message: string, fields?: LogFields): void {
    const text = this.redactor.text(message);
    if (fields === undefined) this.logger[level](text);
    else this.logger[level](text, this.#redacted(fields));
  }

  #redacted({ error, ...fields }: LogFields): LogFields {
    const clean = this.redactor.value(fields);
    return {
      ...(isJsonObject(clean) && clean),
      ...(error !== undefined && { error: redactedError(error, this.redactor) }),
    };
  }
}

/** An error with the same name, its message and stack without secrets. A value that is no error has no stack. */
export function redactedError(thrown: unknown, redactor: Redactor): Error {
  const { name, message, stack = '' } = asError(thrown);
  const clean = new Error(redactor.text(message));
  clean.name = name;
  clean.stack = thrown instanceof Error ? redactor.text(stack) : '';
  return clean;
}
