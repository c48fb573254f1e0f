import type { ServiceIdentifier } from 'inversify';

/** The time for the core, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only increase; for durations. */
  elapsed(): number;
}

export const Clock: ServiceIdentifier<Clock> = Symbol.for('castellan.Clock');
