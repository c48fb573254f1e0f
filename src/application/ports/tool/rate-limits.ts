import type { ServiceIdentifier } from 'inversify';
import type { CallBudget } from '../../call/call-budget.js';

/** Milliseconds until there is a place for one more call; 0: one was taken. */
export type RateVerdict = { readonly waitMs: number } | { readonly unavailable: string };

/** How often something may be done, counted for all instances of a service together. */
export interface RateLimits {
  /** Takes one where there is one. `key` says whose count it is. */
  take(key: string, rate: CallBudget['rate']): RateVerdict | Promise<RateVerdict>;
}

export const RateLimits: ServiceIdentifier<RateLimits> = Symbol.for('castellan.RateLimits');
