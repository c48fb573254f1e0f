import { inject, injectable } from 'inversify';
import {
  findShortfall,
  type Shortfall,
  type Spending,
  settle,
  tidySpendings,
} from '../../domain/model/token-spending.js';
import type { TokenRule } from '../../domain/permission/policy/obligations.js';
import { Result } from '../../domain/result.js';
import { limitExceeded, type ToolError, toolFailure, toolUnavailable } from '../../domain/tool/tool-error.js';
import { TokenLedger } from '../ports/model/token-ledger.js';
import { Clock } from '../ports/system/clock.js';
import { IdSource } from '../ports/system/id-source.js';
import { Logger } from '../ports/system/logger.js';

/** Tokens reserved for one call; its real cost is reported exactly once. */
export interface Booking {
  settle(tokens: number): Promise<void>;
}

type Change = (spent: readonly Spending[]) => readonly Spending[];

const FREE: Booking = { settle: async () => {} };

/**
 * Books the most a call can cost before it is made, so that concurrent calls cannot exceed a limit together.
 */
@injectable()
export class TokenAccount {
  /** Only what was spent while the ledger was unavailable. */
  #local: readonly Spending[] = [];

  constructor(
    @inject(TokenLedger) private readonly ledger: TokenLedger,
    @inject(Clock) private readonly clock: Clock,
    @inject(IdSource) private readonly ids: IdSource,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  async book(
    rules: readonly TokenRule[],
    caller: string,
    tokens: number,
  ): Promise<Result<Booking, ToolError>> {
    if (rules.length === 0) return Result.ok(FREE);
    const open = this.ids.next();
    const wanted = { at: this.clock.now(), caller, tokens, open };
    let shortfall: Shortfall | undefined;
    const add: Change = (spent) => {
      shortfall = findShortfall(spent, rules, wanted);
      return shortfall === undefined ? tidySpendings([...spent, wanted], wanted.at) : spent;
    };
    const kept = await this.ledger.update(add, Math.max(...rules.map(({ windowMs }) => windowMs)));
    if (!kept.success) {
      if (rules.some(({ onStoreFailure }) => onStoreFailure === 'deny')) return uncounted(kept.error);
      this.logger.warn('Tokens are counted in this process only', { why: kept.error });
      this.#local = add(this.#local);
    }
    if (shortfall !== undefined) return tooMany(shortfall, tokens);
    return Result.ok({ settle: (cost) => this.#settle(open, cost, kept.success) });
  }

  async #settle(open: string, tokens: number, inLedger: boolean): Promise<void> {
    const change: Change = (spent) => settle(spent, open, tokens);
    if (!inLedger) {
      this.#local = change(this.#local);
      return;
    }
    const kept = await this.ledger.update(change);
    // The booking stays: too much is counted, never too little.
    if (!kept.success) this.logger.warn('Tokens of a conversation stay booked', { why: kept.error });
  }
}

function uncounted(why: string): Result<never, ToolError> {
  return toolFailure(
    toolUnavailable(
      'RATE_LIMITED',
      `Tokens cannot be counted, and the policy refuses conversations then: ${why}`,
      undefined,
    ),
  );
}

function tooMany({ rule, used, retryAfterMs }: Shortfall, tokens: number): Result<never, ToolError> {
  const limit = `${rule.limit} tokens in ${rule.windowMs / 1000}s`;
  if (retryAfterMs === undefined) {
    return toolFailure(
      limitExceeded(
        `This call may cost up to ${tokens} tokens, and the policy allows ${limit}. Ask for a shorter answer with max_tokens.`,
      ),
    );
  }
  const left = Math.max(0, rule.limit - used);
  return toolFailure(
    toolUnavailable(
      'RATE_LIMITED',
      `Conversations have used ${used} of ${limit}, and this call may cost up to ${tokens}. ` +
        `Wait ${retryAfterMs} ms, or keep question and max_tokens below ${left} together.`,
      retryAfterMs,
    ),
  );
}
