import type { TokenLedger } from '../../application/ports/model/token-ledger.js';
import { isSpending, type Spending } from '../../domain/model/token-spending.js';
import { Result } from '../../domain/result.js';
import { reasonOf, StoreUnavailable } from './redis-fault.js';
import { storeScript } from './redis-script.js';
import type { RedisStore } from './redis-store.js';

const DAY_MS = 86_400_000;
const MAX_ATTEMPTS = 50;

/**
 * KEYS: the ledger. ARGV: the number of the state that was changed, the new state (nothing: only checked), the time that
 * counts. Answers with the state that is in force where it is another, an empty one where it has expired; with
 * `replaced` where the store has lost its memory within that time. Numbers begin with the time: after an account has
 * expired none of them comes again.
 */
const CHANGE = storeScript(`
local number = redis.call('HGET', KEYS[2], 'number') or '0'
if number ~= ARGV[2] then return {number, redis.call('HGET', KEYS[2], 'spent') or '[]'} end
local replaced = tonumber(redis.call('HGET', KEYS[1], 'replaced') or '')
if replaced and milliseconds() - replaced < tonumber(ARGV[4]) then return {'replaced'} end
if ARGV[3] ~= '' then
  local time = redis.call('TIME')
  number = string.format('%.0f', number == '0' and time[1] * 1000000 + time[2] or tonumber(number) + 1)
  redis.call('HSET', KEYS[2], 'number', number, 'spent', ARGV[3])
  redis.call('PEXPIRE', KEYS[2], ${DAY_MS})
end
return {number}
`);

type Change = (spent: readonly Spending[]) => readonly Spending[];

interface LedgerState {
  readonly number: string;
  readonly spent: readonly Spending[];
}

const EMPTY: LedgerState = { number: '0', spent: [] };

/** One account for all instances: what was worked out from a state is only kept while that state is in force. */
export class RedisTokenLedger implements TokenLedger {
  #known: LedgerState = EMPTY;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly store: RedisStore) {
    store.onJoin((kind) => {
      if (kind === 'new') this.#known = EMPTY;
    });
  }

  update(change: Change, windowMs = 0): Promise<Result<void>> {
    // One after the other in this instance: it would only compete with itself.
    const turn = this.#queue.then(() => this.#change(change, windowMs));
    this.#queue = turn;
    return turn;
  }

  async #change(change: Change, windowMs: number): Promise<Result<void>> {
    try {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        if (await this.#attempt(change, windowMs)) return Result.ok(undefined);
      }
      return unusable('other instances change it all the time');
    } catch (error) {
      return unusable(reasonOf(error));
    }
  }

  async #attempt(change: Change, windowMs: number): Promise<boolean> {
    const { number, spent } = this.#known;
    const next = change(spent);
    const text = next === spent ? '' : JSON.stringify(next);
    const answer = await this.store.decide(CHANGE, [this.store.key('tokens')], [number, text, windowMs]);
    const [now, stored] = Array.isArray(answer) ? answer.map(String) : [];
    if (now === 'replaced') throw new StoreUnavailable('it has lost what was spent before');
    if (stored !== undefined && now !== undefined) {
      this.#known = { number: now, spent: parseSpendings(stored) };
      return false;
    }
    this.#known = { number: now ?? '0', spent: next };
    return true;
  }
}

function parseSpendings(text: string): readonly Spending[] {
  const spent: unknown = JSON.parse(text);
  if (!Array.isArray(spent) || !spent.every(isSpending)) throw new StoreUnavailable('the account is damaged');
  return spent;
}

function unusable(why: string): Result<never> {
  return Result.failure(`The account of tokens cannot be used: ${why}.`, 'TokenLedgerUnavailable');
}
