import type { LogFields, LogLevel } from '../../application/ports/system/logger.js';
import { type LogSink, SinkLogger } from './log-sink.js';

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/**
 * Most starts have nothing to say, and the library that says it takes as long to load as the policy to compile.
 * The first line loads it; lines that come until then wait, in their order.
 */
export class LazyLogger extends SinkLogger {
  #sink: LogSink | undefined;
  readonly #waiting: Parameters<LogSink>[] = [];

  constructor(
    /** It may change while the server runs. */
    private readonly level: () => LogLevel | 'silent',
    private readonly load: () => Promise<LogSink>,
  ) {
    super();
  }

  enabled(level: LogLevel): boolean {
    const least = this.level();
    return least !== 'silent' && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
  }

  protected write(level: LogLevel, message: string, fields?: LogFields): void {
    if (this.#sink !== undefined) this.#sink(level, message, fields);
    // A sink that cannot be loaded is a broken installation: the rejection ends the process and says so.
    else if (this.#waiting.push([level, message, fields]) === 1) void this.#begin();
  }

  async #begin(): Promise<void> {
    const sink = await this.load();
    this.#sink = sink;
    for (const line of this.#waiting.splice(0)) sink(...line);
  }
}
