import type { ServiceIdentifier } from 'inversify';
import type { FlagName, FlagValue } from '../../../domain/flag/flag.js';
import type { Result } from '../../../domain/result.js';

/** The values that the settings allow for flags. A flag without a schema may have any value. */
export interface FlagSchemas {
  /** Reports every problem. */
  check(name: FlagName, value: FlagValue): Promise<Result<void>>;
}

export const FlagSchemas: ServiceIdentifier<FlagSchemas> = Symbol.for('castellan.FlagSchemas');
