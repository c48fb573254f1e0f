import type { ServiceIdentifier } from 'inversify';
import type { Obligations, RateRule } from '../../domain/permission/policy/obligations.js';

/** What one call may use up. */
export interface CallBudget {
  readonly timeoutMs: number;
  /** For a tool that keeps its time itself and then still has something to say. */
  readonly graceMs?: number;
  /** Bytes of text in one answer. */
  readonly maxOutputBytes: number;
  /** Calls of one caller to one tool at once. */
  readonly concurrency: number;
  readonly rate: {
    readonly limit: number;
    readonly perMs: number;
    readonly burst: number;
    /** All callers together; each by itself where absent. */
    readonly shared?: boolean;
    /** What becomes of a call that cannot be counted: counted in this instance alone where absent. */
    readonly onStoreFailure?: 'local' | 'deny';
  };
  readonly breaker: { readonly failures: number; readonly openForMs: number };
}

/** Used where the policy and the settings say nothing. */
export const DEFAULT_BUDGET: CallBudget = {
  timeoutMs: 10_000,
  maxOutputBytes: 256 * 1024,
  concurrency: 16,
  rate: { limit: 1200, perMs: 60_000, burst: 300 },
  breaker: { failures: 5, openForMs: 30_000 },
};

/** A tool that needs longer says why in its definition. */
export const MAX_UNEXPLAINED_TIMEOUT_MS = 30_000;

/** The budget of a call whose tool and policy ask for nothing else. */
export const BaseBudget: ServiceIdentifier<CallBudget> = Symbol.for('castellan.BaseBudget');

/** The tool's own wishes under the policy's limits. Only an entry that names the tool may give it more time. */
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
