import type { Clock } from '../application/ports/system/clock.js';

/** Time that stands still until a test moves it. */
export class ManualClock implements Clock {
  #ms: number;

  constructor(private readonly epoch = Date.UTC(2026, 0, 1)) {
    this.#ms = 0;
  }

  now(): number {
    return this.epoch + this.#ms;
  }

  elapsed(): number {
    return this.#ms;
  }

  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError(`Time only grows; got ${ms} ms.`);
    this.#ms += ms;
  }
}
