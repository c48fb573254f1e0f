import { inject, injectable } from 'inversify';
import type { ConsentMemory } from '../../application/ports/permission/consent-memory.js';
import { Clock } from '../../application/ports/system/clock.js';
import { type ConsentSubject, subjectKey } from '../../domain/permission/consent/consent-grant.js';

const MAX_REMEMBERED = 1000;

/** Bounded: the oldest is forgotten first, and asked again. */
@injectable()
export class InMemoryConsentMemory implements ConsentMemory {
  readonly #until = new Map<string, number>();

  constructor(@inject(Clock) private readonly clock: Clock) {}

  recall(subject: ConsentSubject): number | undefined {
    const key = subjectKey(subject);
    const until = this.#until.get(key);
    if (until === undefined || this.clock.now() < until) return until;
    this.#until.delete(key);
    return undefined;
  }

  async remember(subject: ConsentSubject, until: number): Promise<void> {
    const key = subjectKey(subject);
    this.#until.delete(key);
    this.#until.set(key, until);
    for (const oldest of this.#until.keys()) {
      if (this.#until.size <= MAX_REMEMBERED) break;
      this.#until.delete(oldest);
    }
  }
}
