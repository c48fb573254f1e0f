import { randomBytes } from 'node:crypto';
import { inject, injectable } from 'inversify';
import type { ConsumedStates } from '../../application/ports/session/consumed-states.js';
import { Clock } from '../../application/ports/system/clock.js';

const MAX_REMEMBERED = 100_000;
const KEY_BYTES = 32;

/** For one process: states of an earlier one are not accepted. */
@injectable()
export class InMemoryConsumedStates implements ConsumedStates {
  /** When each is forgotten, the earliest used first. */
  readonly #used = new Map<string, number>();
  #key: Uint8Array | undefined;

  constructor(@inject(Clock) private readonly clock: Clock) {}

  async sealingKey(): Promise<Uint8Array> {
    this.#key ??= randomBytes(KEY_BYTES);
    return this.#key;
  }

  async consume(id: string, expiresAt: number): Promise<boolean> {
    if (this.#used.has(id)) return false;
    if (this.#used.size >= MAX_REMEMBERED) this.#forgetExpired();
    // Forgetting one that is still good would let it be used again.
    if (this.#used.size >= MAX_REMEMBERED) return false;
    this.#used.set(id, expiresAt);
    return true;
  }

  #forgetExpired(): void {
    const now = this.clock.now();
    for (const [id, expiresAt] of this.#used) if (expiresAt < now) this.#used.delete(id);
  }
}
