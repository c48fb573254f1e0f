import type { ServiceIdentifier } from 'inversify';
import type { FlagName, FlagScope, Flags, FlagValue } from '../../../domain/flag/flag.js';
import type { Result } from '../../../domain/result.js';

/** Flags of two independent scopes. Several processes may share one store. */
export interface FlagStore {
  /** A store that cannot be reached or read is a failure, never an empty map. */
  all(scope: FlagScope): Promise<Result<Flags>>;
  /**
   * undefined removes the flag. After success, every process reads the value; no concurrent write of another
   * flag is lost.
   */
  set(scope: FlagScope, name: FlagName, value: FlagValue | undefined): Promise<Result<void>>;
  /**
   * Calls back after a change by any process; the returned function ends that. One call may stand for several
   * changes.
   */
  onChange(listener: (scope: FlagScope) => void): () => void;
  close(): Promise<void>;
}

export const FlagStore: ServiceIdentifier<FlagStore> = Symbol.for('castellan.FlagStore');
