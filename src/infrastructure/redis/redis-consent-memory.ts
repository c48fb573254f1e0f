import { createHash } from 'node:crypto';
import type { ConsentMemory } from '../../application/ports/permission/consent-memory.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { type ConsentSubject, subjectKey } from '../../domain/permission/consent/consent-grant.js';
import { reasonOf } from './redis-fault.js';
import { storeScript } from './redis-script.js';
import type { RedisStore } from './redis-store.js';

const RECALL = storeScript(`
local left = redis.call('PTTL', KEYS[2])
return left > 0 and left or 0
`);

const REMEMBER = storeScript(`
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
return 1
`);

/** A key a remembered answer, which goes with its time. Where Redis is away nothing is remembered: people are asked. */
export class RedisConsentMemory implements ConsentMemory {
  constructor(
    private readonly store: RedisStore,
    private readonly logger: Logger,
  ) {}

  async recall(subject: ConsentSubject): Promise<number | undefined> {
    try {
      const left = Number(await this.store.decide(RECALL, [this.#key(subject)], []));
      return left > 0 ? Date.now() + left : undefined;
    } catch (error) {
      this.logger.debug(`A consent was not recalled: ${reasonOf(error)}`);
      return undefined;
    }
  }

  async remember(subject: ConsentSubject, until: number): Promise<void> {
    const left = Math.floor(until - Date.now());
    if (left <= 0) return;
    try {
      await this.store.decide(REMEMBER, [this.#key(subject)], [left]);
    } catch (error) {
      this.logger.warn(`A consent was not remembered: ${reasonOf(error)}`);
    }
  }

  #key(subject: ConsentSubject): string {
    return this.store.key('consent', createHash('sha256').update(subjectKey(subject)).digest('base64url'));
  }
}
