import type { ServiceIdentifier } from 'inversify';
import type { FlagName, FlagValue } from '../../../domain/flag/flag.js';
import type { Result } from '../../../domain/result.js';

/** What the settings say a flag may hold. A flag without a schema may hold any value. */
export interface FlagSchemas {
  /** Names every problem. */
  check(name: FlagName, value: FlagValue): Promise<Result<void>>;
}

export const FlagSchemas: ServiceIdentifier<FlagSchemas> = Symbol.for('castellan.FlagSchemas');
