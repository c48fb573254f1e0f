import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';

export type TrustStanding = 'trusted' | 'changed' | 'unknown';

/**
 * The policy and settings files that this user accepted, by real path and content. A changed file is
 * untrusted again. A store that cannot be read is a failure, never an empty store.
 */
export interface TrustStore {
  /** `changed`: another content of this file was accepted. Every content ever accepted stays trusted. */
  standing(path: string, bytes: Uint8Array): Promise<Result<TrustStanding>>;
  isTrusted(path: string, bytes: Uint8Array): Promise<Result<boolean>>;
  /** Returns true if the user ever accepted a file at this path, with any content. */
  knows(path: string): Promise<Result<boolean>>;
  /** Accepts the current content of the files, all or none; returns the recorded hashes. */
  trust(...paths: readonly string[]): Promise<Result<readonly string[]>>;
}

export const TrustStore: ServiceIdentifier<TrustStore> = Symbol.for('castellan.TrustStore');
