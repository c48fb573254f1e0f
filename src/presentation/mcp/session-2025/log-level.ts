import type { ClientLogLevel } from '../../../application/call/tool-context.js';
import { INVALID_PARAMS } from '../surface/json-rpc.js';
import type { WireAnswer } from '../surface/result-mapping.js';

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

  /** Answers logging/setLevel. */
  answer(level: unknown): WireAnswer {
    if (this.set(level)) return { result: {} };
    const message = `logging/setLevel: level must be one of ${LOG_LEVELS.join(', ')}.`;
    return { error: { code: INVALID_PARAMS, message } };
  }

  get level(): ClientLogLevel {
    return LEVELS[this.#least] ?? 'debug';
  }

  passes(level: ClientLogLevel): boolean {
    return LEVELS.indexOf(level) >= this.#least;
  }
}
