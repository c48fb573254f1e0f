import { createHash, randomBytes } from 'node:crypto';
import type { SharedLock, SharedLocks } from '../../application/ports/file/shared-locks.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { reasonOf } from './redis-fault.js';
import { storeScript } from './redis-script.js';
import type { RedisStore } from './redis-store.js';

/** Longer than any change of a file takes. */
const LIFE_MS = 60_000;

/** KEYS: the store, the lock. ARGV: the store's name, before the names of instances' keys, ours, a word, time to live. */
const TAKE = storeScript(`
local holder = redis.call('GET', KEYS[2])
if holder and redis.call('EXISTS', ARGV[2] .. string.match(holder, '^%S+')) == 1 then return 0 end
redis.call('SET', KEYS[2], ARGV[3] .. ' ' .. ARGV[4], 'PX', ARGV[5])
return 1
`);

const RELEASE = storeScript(`
if redis.call('GET', KEYS[2]) == ARGV[2] then redis.call('DEL', KEYS[2]) end
return 1
`);

/** A key a lock, which an instance that is alive keeps from the others. */
export class RedisLocks implements SharedLocks {
  constructor(
    private readonly store: RedisStore,
    private readonly logger: Logger,
  ) {}

  async take(name: string): Promise<SharedLock> {
    const { store } = this;
    const key = store.key('lock', createHash('sha256').update(name).digest('hex').slice(0, 32));
    const word = randomBytes(8).toString('hex');
    try {
      const instances = store.key('instance', '');
      const taken = await store.decide(TAKE, [key], [instances, store.instance, word, LIFE_MS]);
      if (taken !== 1) return 'taken';
    } catch (error) {
      this.logger.debug(`A lock cannot be taken: ${reasonOf(error)}`);
      return 'unavailable';
    }
    // Not waited for: whatever this instance asks next comes after it.
    const release = () => {
      store.decide(RELEASE, [key], [`${store.instance} ${word}`]).catch((error: unknown) => {
        this.logger.debug(`A lock is left to expire: ${reasonOf(error)}`);
      });
    };
    return { release };
  }
}
