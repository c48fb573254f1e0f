import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';

export type TrustStanding = 'trusted' | 'changed' | 'unknown';

/**
 * Which policy and settings files this user accepted, by real path and content. A file that changed is
 * somebody else's again. A store that cannot be read is a failure, never an empty store.
 */
export interface TrustStore {
  /** `changed`: another content of this file was accepted. Every content that ever was counts as trusted. */
  standing(path: string, bytes: Uint8Array): Promise<Result<TrustStanding>>;
  isTrusted(path: string, bytes: Uint8Array): Promise<Result<boolean>>;
  /** Whether the user accepted the file under this path once, with whatever content. */
  knows(path: string): Promise<Result<boolean>>;
  /** Accepts the files as they are now, all of them or none; gives the hashes that were recorded. */
  trust(...paths: readonly string[]): Promise<Result<readonly string[]>>;
}

export const TrustStore: ServiceIdentifier<TrustStore> = Symbol.for('castellan.TrustStore');
