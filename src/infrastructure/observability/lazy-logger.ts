import type { LogFields, Logger, LogLevel } from '../../application/ports/system/logger.js';

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

interface Line {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

/**
 * Most starts have nothing to say, and the logger that says it takes as long to load as the policy to compile.
 * It is loaded by the first line; lines that come until then wait, in their order.
 */
export class LazyLogger implements Logger {
  #logger: Logger | undefined;
  readonly #waiting: Line[] = [];

  constructor(
    /** It may change while the server runs. */
    private readonly level: () => LogLevel | 'silent',
    private readonly load: () => Promise<Logger>,
  ) {}

  enabled(level: LogLevel): boolean {
    const least = this.level();
    return least !== 'silent' && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
  }

  trace(message: string, fields?: LogFields): void {
    this.#write({ level: 'trace', message, fields });
  }

  debug(message: string, fields?: LogFields): void {
    this.#write({ level: 'debug', message, fields });
  }

  info(message: string, fields?: LogFields): void {
    this.#write({ level: 'info', message, fields });
  }

  warn(message: string, fields?: LogFields): void {
    this.#write({ level: 'warn', message, fields });
  }

  error(message: string, fields?: LogFields): void {
    this.#write({ level: 'error', message, fields });
  }

  #write(line: Line): void {
    if (!this.enabled(line.level)) return;
    if (this.#logger !== undefined) {
      this.#logger[line.level](line.message, line.fields);
      return;
    }
    // A logger that cannot be loaded is a broken installation: the rejection ends the process and says so.
    if (this.#waiting.push(line) === 1) void this.#begin();
  }

  async #begin(): Promise<void> {
    const logger = await this.load();
    this.#logger = logger;
    for (const { level, message, fields } of this.#waiting.splice(0)) logger[level](message, fields);
  }
}
