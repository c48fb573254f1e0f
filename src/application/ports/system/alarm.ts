import type { ServiceIdentifier } from 'inversify';

/** Wakes somebody later, so that tests need not wait. */
export interface Alarm {
  /** Calls back once after `ms`, unless the function it gives is called before. */
  after(ms: number, callback: () => void): () => void;
  /** The same for what nobody waits for: it does not keep the process alive. */
  someTimeAfter(ms: number, callback: () => void): () => void;
}

export const Alarm: ServiceIdentifier<Alarm> = Symbol.for('castellan.Alarm');
