import type { ConsumedStates } from '../../application/ports/session/consumed-states.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { reasonOf } from './redis-fault.js';
import { storeScript } from './redis-script.js';
import type { RedisStore } from './redis-store.js';

/** Kept a little longer than it is good for: the clocks of instances differ. */
const MARGIN_MS = 60_000;

const CONSUME = storeScript(`
local life = math.max(1, tonumber(ARGV[2]) - milliseconds()) + ${MARGIN_MS}
return redis.call('SET', KEYS[2], '1', 'NX', 'PX', string.format('%.0f', life)) and 1 or 0
`);

/** Good for one use at all instances together. Where Redis is away, none can be used. */
export class RedisConsumedStates implements ConsumedStates {
  constructor(
    private readonly store: RedisStore,
    private readonly logger: Logger,
  ) {}

  /** Another one in a store that lost its memory: what was used before cannot be used again there. */
  async sealingKey(): Promise<Uint8Array> {
    const id = await this.store.joinedId();
    return Buffer.from(this.store.sign(`states of ${id}`, 'key'), 'base64url');
  }

  async consume(id: string, expiresAt: number): Promise<boolean> {
    try {
      return (await this.store.decide(CONSUME, [this.store.key('used', id)], [expiresAt])) === 1;
    } catch (error) {
      this.logger.warn(`A state was not accepted: ${reasonOf(error)}`);
      return false;
    }
  }
}
