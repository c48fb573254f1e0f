import type { ServiceIdentifier } from 'inversify';

/** `taken`: another instance has it. `unavailable`: it is not known whether one has it. */
export type SharedLock = { readonly release: () => void } | 'taken' | 'unavailable';

/** Locks between the instances that serve one file system; within an instance the caller is responsible. */
export interface SharedLocks {
  /** Does not wait. The lock of a dead instance is free again. */
  take(name: string): Promise<SharedLock>;
}

export const SharedLocks: ServiceIdentifier<SharedLocks> = Symbol.for('castellan.SharedLocks');
