import { inject, injectable } from 'inversify';
import type { CallBudget } from '../../application/call/call-budget.js';
import { Clock } from '../../application/ports/system/clock.js';
import type { RateLimits, RateVerdict } from '../../application/ports/tool/rate-limits.js';
import { TokenBucket } from '../../domain/tool/token-bucket.js';

const MAX_BUCKETS = 10_000;

/** Counts in this process. */
@injectable()
export class InMemoryRateLimits implements RateLimits {
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(@inject(Clock) private readonly clock: Clock) {}

  take(key: string, rate: CallBudget['rate']): RateVerdict {
    const now = this.clock.elapsed();
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      if (this.#buckets.size >= MAX_BUCKETS) this.#forgetFull(rate, now);
      bucket = new TokenBucket(rate, now);
      this.#buckets.set(key, bucket);
    }
    return { waitMs: bucket.take(rate, now) };
  }

  /** A full bucket would be made anew just the same. */
  #forgetFull(rate: CallBudget['rate'], now: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(rate, now)) this.#buckets.delete(key);
  }
}
