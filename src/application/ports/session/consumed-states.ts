import type { ServiceIdentifier } from 'inversify';

/** Makes states that clients send back valid for one use. Shared by every instance that may receive one. */
export interface ConsumedStates {
  /** The secret that seals states, at least 32 bytes. */
  sealingKey(): Promise<Uint8Array>;
  /**
   * Returns false if it was used before, or there is no room to remember it. Times are milliseconds since the
   * epoch.
   */
  consume(id: string, expiresAt: number): Promise<boolean>;
}

export const ConsumedStates: ServiceIdentifier<ConsumedStates> = Symbol.for('castellan.ConsumedStates');
