import type { ServiceIdentifier } from 'inversify';

/** Calls back later, and lets tests decide when. */
export interface Timer {
  /** Calls back once after `ms`, unless the function it gives is called before. */
  after(ms: number, callback: () => void): () => void;
  /** The same for what nobody waits for: it does not keep the process alive. */
  someTimeAfter(ms: number, callback: () => void): () => void;
}

export const Timer: ServiceIdentifier<Timer> = Symbol.for('castellan.Timer');
