import type { CallBudget } from '../../application/call/call-budget.js';
import type { RateLimits, RateVerdict } from '../../application/ports/tool/rate-limits.js';
import { reasonOf } from './redis-fault.js';
import { storeScript } from './redis-script.js';
import type { RedisStore } from './redis-store.js';

/** Redis takes no time to live that is much longer. */
const LONGEST_MS = 1e15;

/**
 * The bucket of domain/tool/token-bucket.ts, by the clock of Redis. In a store that replaced another a bucket that is
 * not there may have been lost: it counts as empty at that moment, not as full.
 */
const TAKE = storeScript(`
local limit, per, burst = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local bucket = redis.call('HMGET', KEYS[2], 'tokens', 'at')
local tokens, at = tonumber(bucket[1]), tonumber(bucket[2])
if not tokens then
  local replaced = tonumber(redis.call('HGET', KEYS[1], 'replaced') or '')
  tokens, at = replaced and 0 or burst, replaced or now
end
tokens = math.min(burst, tokens + math.max(0, now - at) * limit / per)
local wait = 0
if tokens >= 1 - 1e-6 then tokens = math.max(0, tokens - 1) else wait = math.ceil((1 - tokens) * per / limit) end
redis.call('HSET', KEYS[2], 'tokens', string.format('%.17g', tokens), 'at', string.format('%.17g', now))
redis.call('PEXPIRE', KEYS[2], string.format('%.0f', math.min(math.ceil(burst * per / limit) + 1000, ${LONGEST_MS})))
return wait
`);

/** One count for all instances, one script a call. */
export class RedisRateLimits implements RateLimits {
  constructor(
    private readonly store: RedisStore,
    /** Counts along, so that an instance that is left alone goes on where it was. */
    private readonly local: RateLimits,
  ) {}

  async take(key: string, rate: CallBudget['rate']): Promise<RateVerdict> {
    const own = await this.local.take(key, rate);
    try {
      const { limit, perMs, burst } = rate;
      const wait = await this.store.decide(TAKE, [this.store.key('rate', key)], [limit, perMs, burst]);
      return { waitMs: Number(wait) };
    } catch (error) {
      return rate.onStoreFailure === 'deny' ? { unavailable: reasonOf(error) } : own;
    }
  }
}
