import { after, afterEach, beforeEach, describe } from 'mocha';
import type { RedisStore } from '../../../src/infrastructure/redis/redis-store.js';
import { RedisStores } from '../../support/redis-stores.js';

/** A port as two instances of one service have it: the same object where there is only one. */
export type Pair<T> = () => readonly [T, T];

/** Runs one suite against the in-process implementation and, over a real server, the one in Redis. */
export function bothWays<T>(
  port: string,
  inProcess: () => T,
  inRedis: (store: RedisStore) => T,
  suite: (pair: Pair<T>) => void,
  /** Puts into Redis what the port expects there. */
  prepare?: (store: RedisStore) => Promise<unknown>,
): void {
  describe(`${port} in process`, () => {
    let only: T;
    beforeEach(() => {
      only = inProcess();
    });
    suite(() => [only, only]);
  });

  describe(`${port} in Redis`, () => {
    const stores = new RedisStores();
    let pair: readonly [T, T];
    beforeEach(async () => {
      await stores.start();
      const [one, two] = [stores.instance(), stores.instance()];
      pair = [inRedis(one), inRedis(two)];
      await one.open();
      await two.open();
      await prepare?.(one);
    });
    afterEach(() => stores.closeStores());
    after(() => stores.stop());
    suite(() => pair);
  });
}

export const SYSTEM_CLOCK = { now: () => Date.now(), elapsed: () => performance.now() };
