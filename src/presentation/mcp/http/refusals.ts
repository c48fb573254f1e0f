import type { Logger } from '../../../application/ports/system/logger.js';
import type { HttpExchange } from './http-exchange.js';
import { type Refusal, refuse } from './http-guards.js';

/** Refuses requests, and knows how often it did. */
export class Refusals {
  readonly #counts = new Map<number, number>();

  /** `logged`: whether each is a line in the log. */
  constructor(
    private readonly logger: Logger,
    private readonly logged: boolean,
  ) {}

  get counts(): ReadonlyMap<number, number> {
    return this.#counts;
  }

  send(exchange: HttpExchange, refusal: Refusal): void {
    const { status, message } = refusal;
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
    if (this.logged)
      this.logger.info('request refused', {
        status,
        why: message,
        method: exchange.method,
        path: exchange.path,
      });
    refuse(exchange, refusal);
  }
}
