import type { ToolErrorKind } from './tool-error.js';

export interface StatsSnapshot {
  readonly invocations: number;
  readonly failures: number;
  readonly timeouts: number;
  readonly failures_by_kind: Readonly<Partial<Record<ToolErrorKind, number>>>;
  readonly total_ms: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
}

// Each bucket is a tenth larger than the one before, from 10 µs to over an hour: percentiles are exact to 10
// % in fixed memory.
const SMALLEST_MS = 0.01;
const GROWTH = Math.log(1.1);
const BUCKETS = 220;

/** Counts and durations of one tool, in constant memory. */
export class ToolStats {
  #invocations = 0;
  #failures = 0;
  #totalMs = 0;
  #maxMs = 0;
  readonly #kinds = new Map<ToolErrorKind, number>();
  readonly #histogram = new Uint32Array(BUCKETS);

  record(durationMs: number, failure?: ToolErrorKind): void {
    this.#invocations += 1;
    this.#totalMs += durationMs;
    if (durationMs > this.#maxMs) this.#maxMs = durationMs;
    const bucket = bucketOf(durationMs);
    this.#histogram[bucket] = (this.#histogram[bucket] ?? 0) + 1;
    if (failure === undefined) return;
    this.#failures += 1;
    this.#kinds.set(failure, (this.#kinds.get(failure) ?? 0) + 1);
  }

  snapshot(): StatsSnapshot {
    return {
      invocations: this.#invocations,
      failures: this.#failures,
      timeouts: this.#kinds.get('timeout') ?? 0,
      failures_by_kind: Object.fromEntries(this.#kinds),
      total_ms: round(this.#totalMs),
      p50_ms: this.#percentile(0.5),
      p95_ms: this.#percentile(0.95),
      p99_ms: this.#percentile(0.99),
      max_ms: round(this.#maxMs),
    };
  }

  /** The upper edge of the bucket with the value, but never more than the largest value seen. */
  #percentile(share: number): number {
    const rank = Math.ceil(this.#invocations * share);
    let seen = 0;
    for (const [bucket, count] of this.#histogram.entries()) {
      seen += count;
      if (seen >= rank && rank > 0) return round(Math.min(upperEdge(bucket), this.#maxMs));
    }
    return 0;
  }
}

function bucketOf(ms: number): number {
  if (ms <= SMALLEST_MS) return 0;
  return Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / SMALLEST_MS) / GROWTH));
}

function upperEdge(bucket: number): number {
  return SMALLEST_MS * Math.exp(bucket * GROWTH);
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
