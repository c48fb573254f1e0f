import { expect } from 'chai';
import { it } from 'mocha';
import type { RateLimits, RateVerdict } from '../../../src/application/ports/tool/rate-limits.js';
import { RedisRateLimits } from '../../../src/infrastructure/redis/redis-rate-limits.js';
import { InMemoryRateLimits } from '../../../src/infrastructure/tool/in-memory-rate-limits.js';
import { bothWays, SYSTEM_CLOCK } from './both-ways.js';

const HOUR = 3_600_000;

function waitOf(verdict: RateVerdict): number {
  if ('unavailable' in verdict) throw new Error(verdict.unavailable);
  return verdict.waitMs;
}

bothWays<RateLimits>(
  'RateLimits',
  () => new InMemoryRateLimits(SYSTEM_CLOCK),
  (store) => new RedisRateLimits(store, new InMemoryRateLimits(SYSTEM_CLOCK)),
  (pair) => {
    it('gives out a burst and not one more, however many ask at once and wherever', async () => {
      const rate = { limit: 100, perMs: HOUR, burst: 100 };
      const takes = Array.from({ length: 1000 }, (_, n) => pair()[n % 2 === 0 ? 0 : 1].take('t me', rate));
      const waits = (await Promise.all(takes)).map(waitOf);
      expect(waits.filter((wait) => wait === 0)).to.have.length(100);
      for (const wait of waits.filter((each) => each > 0)) expect(wait).to.be.within(1, HOUR / 100);
    });

    it('counts each key by itself', async () => {
      const rate = { limit: 1, perMs: HOUR, burst: 1 };
      const [one, two] = pair();
      expect(waitOf(await one.take('a', rate))).to.equal(0);
      expect(waitOf(await two.take('a', rate))).to.be.above(0);
      expect(waitOf(await two.take('b', rate))).to.equal(0);
    });

    it('takes the largest burst that a policy can name', async () => {
      const rate = { limit: 1, perMs: HOUR, burst: Number.MAX_SAFE_INTEGER, onStoreFailure: 'deny' } as const;
      expect(waitOf(await pair()[0].take('huge', rate))).to.equal(0);
    });

    it('gives one again when the time it named is over', async () => {
      const rate = { limit: 20, perMs: 1000, burst: 1 };
      const [one, two] = pair();
      expect(waitOf(await one.take('again', rate))).to.equal(0);
      const wait = waitOf(await two.take('again', rate));
      expect(wait).to.be.within(0, 50);
      await new Promise((resolve) => setTimeout(resolve, wait + 5));
      expect(waitOf(await two.take('again', rate))).to.equal(0);
    });
  },
);
