import { expect } from 'chai';
import { describe, it } from 'mocha';
import { describeRate, raisedRate } from '../../../src/domain/tool/rate-words.js';

describe('Rates in words', () => {
  for (const [limit, perMs, burst, words, raised] of [
    [1200, 60_000, 300, '1,200 per minute, 300 at one go', 'rate: { limit: 2400/min, burst: 600 }'],
    [2, 1000, 3, '2 per second, 3 at one go', 'rate: { limit: 240/min, burst: 6 }'],
    [1, 3_600_000, 1, '1 per hour, 1 at one go', 'rate: { limit: 1/min, burst: 2 }'],
    [1_000_000, 5000, 10, '1,000,000 per 5 s, 10 at one go', 'rate: { limit: 24000000/min, burst: 20 }'],
  ] as const) {
    it(`S3-48: ${words}`, () => {
      expect(describeRate({ limit, perMs, burst })).to.equal(words);
      expect(raisedRate({ limit, perMs, burst })).to.equal(raised);
    });
  }
});
