import type { ServiceIdentifier } from 'inversify';

/** Time as the core sees it, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only grow; for durations. */
  elapsed(): number;
}

export const Clock: ServiceIdentifier<Clock> = Symbol.for('castellan.Clock');
