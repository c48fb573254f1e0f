import type { ServiceIdentifier } from 'inversify';
import type { CallBudget } from '../../call/call-budget.js';

/** Milliseconds until one more call is possible; 0 if one was counted. */
export type RateVerdict = { readonly waitMs: number } | { readonly unavailable: string };

/** Rate limits counted for all instances of a service together. */
export interface RateLimits {
  /** Counts one call if possible. `key` identifies the counter. */
  take(key: string, rate: CallBudget['rate']): RateVerdict | Promise<RateVerdict>;
}

export const RateLimits: ServiceIdentifier<RateLimits> = Symbol.for('castellan.RateLimits');
