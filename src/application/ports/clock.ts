import type { ServiceIdentifier } from 'inversify';

/** Time, so that tests can hold it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms`; the answer takes the appointment back. */
  after(ms: number, callback: () => void): () => void;
}

export const Clock: ServiceIdentifier<Clock> = Symbol.for('castellan.Clock');
