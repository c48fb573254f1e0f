import type {
  InstanceFacts,
  SharedState,
  SharedStatus,
} from '../../application/ports/system/shared-state.js';
import { isJsonObject } from '../../domain/json-value.js';
import type { RedisStore } from './redis-store.js';

const PAGE = 100;
const MAX_INSTANCES = 1000;

export class RedisSharedState implements SharedState {
  constructor(private readonly store: RedisStore) {}

  join(): Promise<void> {
    return this.store.open();
  }

  status(): SharedStatus {
    const { instance, skewMs, refusal } = this.store;
    switch (this.store.state) {
      case 'joined':
        return { state: 'joined', instance, skewMs };
      case 'refused':
        return { state: 'refused', instance, why: refusal ?? 'Redis must not be used.' };
      case 'connecting':
      case 'lost':
        return { state: 'away', instance, why: 'Redis does not answer.' };
    }
  }

  async instances(): Promise<readonly InstanceFacts[]> {
    const prefix = this.store.key('instance', '');
    const keys = await this.#keys(`${prefix}*`);
    const told = await Promise.all(keys.map((key) => this.store.command('GET', key)));
    return told.flatMap((text, index) => {
      const facts: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
      if (!isJsonObject(facts)) return [];
      const { version, skewMs } = facts;
      const instance = (keys[index] ?? '').slice(prefix.length);
      return [{ instance, version: String(version), skewMs: Number(skewMs) }];
    });
  }

  close(): Promise<void> {
    return this.store.close();
  }

  async #keys(pattern: string): Promise<readonly string[]> {
    const keys = new Set<string>();
    let cursor = '0';
    do {
      const page = await this.store.command('SCAN', cursor, 'MATCH', pattern, 'COUNT', PAGE);
      const [next, found]: unknown[] = Array.isArray(page) ? page : [];
      cursor = String(next ?? '0');
      for (const key of Array.isArray(found) ? found : []) keys.add(String(key));
    } while (cursor !== '0' && keys.size < MAX_INSTANCES);
    return [...keys];
  }
}
