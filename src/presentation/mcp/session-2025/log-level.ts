import type { ClientLogLevel } from '../../../application/call/tool-context.js';

const LEVELS: readonly ClientLogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export const LOG_LEVELS: readonly string[] = LEVELS;

/** What the client wants to hear: everything, until it says otherwise. */
export class LogLevelFilter {
  #least = 0;

  /** false: there is no such level, and nothing has changed. */
  set(level: unknown): boolean {
    const index = typeof level === 'string' ? LOG_LEVELS.indexOf(level) : -1;
    if (index === -1) return false;
    this.#least = index;
    return true;
  }

  get level(): ClientLogLevel {
    return LEVELS[this.#least] ?? 'debug';
  }

  passes(level: ClientLogLevel): boolean {
    return LEVELS.indexOf(level) >= this.#least;
  }
}
