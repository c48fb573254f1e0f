import type { ServiceIdentifier } from 'inversify';
import type { Spending } from '../../../domain/model/token-spending.js';
import type { Result } from '../../../domain/result.js';

/**
 * What models have cost in this workspace, stored beyond the process, so that a restart does not reset it.
 */
export interface TokenLedger {
  /**
   * Reads, changes and stores as one step, also against other processes. `change` must depend only on its
   * input, and may run more than once. Fails if something of the last `windowMs` may have been lost.
   */
  update(
    change: (spent: readonly Spending[]) => readonly Spending[],
    windowMs?: number,
  ): Promise<Result<void>>;
}

export const TokenLedger: ServiceIdentifier<TokenLedger> = Symbol.for('castellan.TokenLedger');
