import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type BucketRate, TokenBucket } from '../../../src/domain/tool/token-bucket.js';

const rates = fc.record({
  limit: fc.integer({ min: 1, max: 1000 }),
  perMs: fc.constantFrom(7, 1000, 60_000),
  burst: fc.integer({ min: 1, max: 50 }),
});

function takeUntilEmpty(bucket: TokenBucket, rate: BucketRate, now: number): number {
  let taken = 0;
  while (taken <= rate.burst && bucket.take(rate, now) === 0) taken += 1;
  return taken;
}

describe('TokenBucket', () => {
  it('S3-48: lets a burst through at once and not one more', () => {
    fc.assert(
      fc.property(rates, (rate) => {
        expect(takeUntilEmpty(new TokenBucket(rate, 0), rate, 0)).to.equal(rate.burst);
      }),
    );
  });

  it('S3-48: the time it names is enough, whatever was taken before', () => {
    fc.assert(
      fc.property(rates, fc.array(fc.integer({ min: 0, max: 500 })), (rate, pauses) => {
        const bucket = new TokenBucket(rate, 0);
        let now = 0;
        takeUntilEmpty(bucket, rate, now);
        for (const pause of pauses) {
          now += pause;
          bucket.take(rate, now);
        }
        const wait = bucket.take(rate, now);
        if (wait > 0) expect(bucket.take(rate, now + wait)).to.equal(0);
      }),
    );
  });

  it('S3-48: the time it names is enough even where fractions do not add up to a whole', () => {
    const rate = { limit: 5, perMs: 60_000, burst: 1 };
    const bucket = new TokenBucket(rate, 0);
    bucket.take(rate, 0);
    const wait = bucket.take(rate, 3);
    expect(wait).to.equal(11_997);
    expect(bucket.take(rate, 3 + wait)).to.equal(0);
  });

  it('never gives more than burst plus rate times time', () => {
    fc.assert(
      fc.property(rates, fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 200 }), (rate, pauses) => {
        const bucket = new TokenBucket(rate, 0);
        let now = 0;
        let taken = 0;
        for (const pause of pauses) {
          now += pause;
          if (bucket.take(rate, now) === 0) taken += 1;
        }
        expect(taken).to.be.at.most(Math.ceil(rate.burst + (now * rate.limit) / rate.perMs + 1e-6));
      }),
    );
  });

  it('is full at first and again after enough time, and holds no more than a burst', () => {
    const rate = { limit: 10, perMs: 1000, burst: 5 };
    const bucket = new TokenBucket(rate, 0);
    expect(bucket.isFull(rate, 0)).to.equal(true);
    takeUntilEmpty(bucket, rate, 0);
    expect(bucket.isFull(rate, 499)).to.equal(false);
    expect(bucket.isFull(rate, 500)).to.equal(true);
    expect(takeUntilEmpty(bucket, rate, 1_000_000)).to.equal(5);
  });

  it('says how long to wait', () => {
    const rate = { limit: 10, perMs: 1000, burst: 1 };
    const bucket = new TokenBucket(rate, 0);
    expect(bucket.take(rate, 0)).to.equal(0);
    expect(bucket.take(rate, 0)).to.equal(100);
    expect(bucket.take(rate, 60)).to.equal(40);
  });
});
