import type { ServiceIdentifier } from 'inversify';

/**
 * Makes states that clients carry from one request to the next good for one use. Shared by every instance that may
 * get a state back.
 */
export interface ConsumedStates {
  /** The secret that seals states, at least 32 bytes. */
  sealingKey(): Promise<Uint8Array>;
  /** false: it was used before, or there is no room to remember that it was. Times are milliseconds since the epoch. */
  consume(id: string, expiresAt: number): Promise<boolean>;
}

export const ConsumedStates: ServiceIdentifier<ConsumedStates> = Symbol.for('castellan.ConsumedStates');
