import type { Alarm } from '../../src/application/ports/system/alarm.js';
import type { Clock } from '../../src/application/ports/system/clock.js';

/** A clock that stands still until it is told to go on. */
export class ManualTime implements Clock, Alarm {
  #now = 1_000_000;
  readonly #alarms = new Map<() => void, number>();

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now;
  }

  get waiting(): number {
    return this.#alarms.size;
  }

  after(ms: number, callback: () => void): () => void {
    const ring = () => callback();
    this.#alarms.set(ring, this.#now + ms);
    return () => this.#alarms.delete(ring);
  }

  someTimeAfter(ms: number, callback: () => void): () => void {
    return this.after(ms, callback);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const [ring, at] of [...this.#alarms]) {
      if (at > this.#now) continue;
      this.#alarms.delete(ring);
      ring();
    }
  }
}
