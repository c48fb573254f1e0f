import type { ServiceIdentifier } from 'inversify';
import type { Obligations, RateRule } from '../../domain/permission/policy/obligations.js';

/** The limits of one call. */
export interface CallBudget {
  readonly timeoutMs: number;
  /** Extra time for a tool that enforces its own time limit and still returns a result. */
  readonly graceMs?: number;
  /** Bytes of text in one result. */
  readonly maxOutputBytes: number;
  /** Concurrent calls of one caller to one tool. */
  readonly concurrency: number;
  readonly rate: {
    readonly limit: number;
    readonly perMs: number;
    readonly burst: number;
    /** True if all callers share the limit (default: one per caller). */
    readonly shared?: boolean;
    /** What happens to a call that cannot be counted (default: counted in this instance only). */
    readonly onStoreFailure?: 'local' | 'deny';
  };
  readonly breaker: { readonly failures: number; readonly openForMs: number };
}

/** Used if the policy and the settings set nothing. */
export const DEFAULT_BUDGET: CallBudget = {
  timeoutMs: 10_000,
  maxOutputBytes: 256 * 1024,
  concurrency: 16,
  rate: { limit: 1200, perMs: 60_000, burst: 300 },
  breaker: { failures: 5, openForMs: 30_000 },
};

/** A tool that needs longer must say why in its definition. */
export const MAX_UNEXPLAINED_TIMEOUT_MS = 30_000;

/** The budget of a call whose tool and policy set nothing else. */
export const BaseBudget: ServiceIdentifier<CallBudget> = Symbol.for('castellan.BaseBudget');

/**
 * Combines the tool's own limits with the policy's. Only an entry that names the tool may give it more time.
 */
export function budgetUnder(base: CallBudget, tool: Partial<CallBudget>, policy: Obligations): CallBudget {
  const wanted = { ...base, ...tool };
  const { limits, timeoutNamed, rate, breaker } = policy;
  const timeoutMs = limits.timeoutMs ?? wanted.timeoutMs;
  return {
    ...(wanted.graceMs !== undefined && { graceMs: wanted.graceMs }),
    timeoutMs: timeoutNamed ? timeoutMs : Math.min(timeoutMs, wanted.timeoutMs),
    maxOutputBytes: limits.maxOutputBytes ?? wanted.maxOutputBytes,
    concurrency: limits.concurrency ?? wanted.concurrency,
    rate: rate ? bucketOf(rate) : wanted.rate,
    breaker: breaker ?? wanted.breaker,
  };
}

export function bucketOf({
  limit,
  windowMs,
  burst = limit,
  per,
  onStoreFailure,
}: RateRule): CallBudget['rate'] {
  return {
    limit,
    perMs: windowMs,
    burst,
    ...(per === 'instance' && { shared: true }),
    ...(onStoreFailure && { onStoreFailure }),
  };
}
