import type { ServiceIdentifier } from 'inversify';
import type { Spending } from '../../../domain/model/token-spending.js';
import type { Result } from '../../../domain/result.js';

/** What models have cost in this workspace, kept beyond the process: a restart must not buy a new hour. */
export interface TokenLedger {
  /**
   * Reads, changes and keeps as one step, against other processes too. `change` may run on nothing but its input, and
   * more than once. Fails where something of the last `windowMs` may have been lost.
   */
  update(
    change: (spent: readonly Spending[]) => readonly Spending[],
    windowMs?: number,
  ): Promise<Result<void>>;
}

export const TokenLedger: ServiceIdentifier<TokenLedger> = Symbol.for('castellan.TokenLedger');
