import type { ServiceIdentifier } from 'inversify';

/** Delayed callbacks, which tests can trigger. */
export interface Timer {
  /** Calls back once after `ms`, unless the returned function is called before. */
  after(ms: number, callback: () => void): () => void;
  /** The same without keeping the process alive. */
  someTimeAfter(ms: number, callback: () => void): () => void;
}

export const Timer: ServiceIdentifier<Timer> = Symbol.for('castellan.Timer');
