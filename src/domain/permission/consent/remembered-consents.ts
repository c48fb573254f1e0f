import { ConsentGrant, type ConsentSubject, subjectKey } from './consent-grant.js';

/** Words that hold for identical calls for a while. Bounded: the oldest is forgotten first, and asked again. */
export class RememberedConsents {
  readonly #until = new Map<string, number>();

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#until.size;
  }

  remember(subject: ConsentSubject, until: number): void {
    const key = subjectKey(subject);
    this.#until.delete(key);
    this.#until.set(key, until);
    for (const oldest of this.#until.keys()) {
      if (this.#until.size <= this.capacity) break;
      this.#until.delete(oldest);
    }
  }

  /** A fresh grant for an identical call, or undefined: somebody has to be asked. */
  recall(subject: ConsentSubject, now: number): ConsentGrant | undefined {
    const key = subjectKey(subject);
    const until = this.#until.get(key);
    if (until === undefined) return undefined;
    if (now < until) return new ConsentGrant(subject, 'remembered', until);
    this.#until.delete(key);
    return undefined;
  }
}
