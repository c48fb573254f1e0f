export interface BucketRate {
  readonly limit: number;
  readonly perMs: number;
  readonly burst: number;
}

/** Fractions add up to slightly less than a whole; a caller that waited as told must find its token. */
const ROUNDING = 1e-6;

/** A rate limit: tokens refill at a steady rate, up to a burst. The time is passed in. */
export class TokenBucket {
  #tokens: number;
  #filledAt: number;

  constructor(rate: BucketRate, now: number) {
    this.#tokens = rate.burst;
    this.#filledAt = now;
  }

  /** Returns 0 if a token was taken, otherwise the milliseconds until there is one. */
  take(rate: BucketRate, now: number): number {
    const perMs = rate.limit / rate.perMs;
    this.#tokens = Math.min(rate.burst, this.#tokens + Math.max(0, now - this.#filledAt) * perMs);
    this.#filledAt = now;
    if (this.#tokens >= 1 - ROUNDING) {
      this.#tokens = Math.max(0, this.#tokens - 1);
      return 0;
    }
    return Math.ceil((1 - this.#tokens) / perMs);
  }

  /** A full bucket carries no state and can be dropped. */
  isFull(rate: BucketRate, now: number): boolean {
    return this.#tokens + (now - this.#filledAt) * (rate.limit / rate.perMs) >= rate.burst;
  }
}
