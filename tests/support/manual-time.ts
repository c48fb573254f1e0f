import type { Clock } from '../../src/application/ports/system/clock.js';
import type { Timer } from '../../src/application/ports/system/timer.js';

/** A clock that stands still until it is told to go on. */
export class ManualTime implements Clock, Timer {
  #now = 1_000_000;
  readonly #timers = new Map<() => void, number>();

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now;
  }

  get waiting(): number {
    return this.#timers.size;
  }

  after(ms: number, callback: () => void): () => void {
    const ring = () => callback();
    this.#timers.set(ring, this.#now + ms);
    return () => this.#timers.delete(ring);
  }

  someTimeAfter(ms: number, callback: () => void): () => void {
    return this.after(ms, callback);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const [ring, at] of [...this.#timers]) {
      if (at > this.#now) continue;
      this.#timers.delete(ring);
      ring();
    }
  }
}
