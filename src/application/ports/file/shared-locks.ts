import type { ServiceIdentifier } from 'inversify';

/** `taken`: another instance has it. `unavailable`: nobody can say now whether one has. */
export type SharedLock = { readonly release: () => void } | 'taken' | 'unavailable';

/** Locks among the instances that serve one file system; within an instance the caller sees to it. */
export interface SharedLocks {
  /** Waits for nobody. The lock of an instance that is gone is free again. */
  take(name: string): Promise<SharedLock>;
}

export const SharedLocks: ServiceIdentifier<SharedLocks> = Symbol.for('castellan.SharedLocks');
