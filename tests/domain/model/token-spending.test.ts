import { expect } from 'chai';
import fc from 'fast-check';
import {
  estimateTokens,
  findShortfall,
  type Spending,
  settle,
  tidySpendings,
} from '../../../src/domain/model/token-spending.js';
import type { TokenRule } from '../../../src/domain/permission/policy/obligations.js';

const HOUR = 3_600_000;

function rule(limit: number, parts: Partial<TokenRule> = {}): TokenRule {
  return { per: 'principal', limit, windowMs: HOUR, onStoreFailure: 'local', ...parts };
}

describe('Tokens spent', () => {
  it('count for the caller who spent them, or for all where the rule says so', () => {
    const spent: Spending[] = [{ at: 0, caller: 'a', tokens: 90 }];
    const wanted = { at: 1, tokens: 20 };
    expect(findShortfall(spent, [rule(100)], { ...wanted, caller: 'b' })).to.equal(undefined);
    expect(findShortfall(spent, [rule(100)], { ...wanted, caller: 'a' })?.used).to.equal(90);
    const shared = rule(100, { per: 'instance' });
    expect(findShortfall(spent, [shared], { ...wanted, caller: 'b' })?.used).to.equal(90);
  });

  it('are held to every rule: an hour with room does not lift the minute', () => {
    const spent: Spending[] = [{ at: 0, caller: 'a', tokens: 50 }];
    const minute = rule(60, { windowMs: 60_000 });
    const found = findShortfall(spent, [rule(1000), minute], { at: 10, caller: 'a', tokens: 20 });
    expect(found).to.deep.equal({ rule: minute, used: 50, retryAfterMs: 59_990 });
  });

  it('leave no wait that would help a call which alone is too large', () => {
    const found = findShortfall([], [rule(100)], { at: 0, caller: 'a', tokens: 101 });
    expect(found).to.deep.include({ used: 0, retryAfterMs: undefined });
  });

  it('never pass the limit within any window, and waiting as told is enough', () => {
    const call = fc.record({ pause: fc.nat(HOUR / 2), tokens: fc.integer({ min: 1, max: 100 }) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 40 }), (calls) => {
        let now = 0;
        let spent: readonly Spending[] = [];
        const made: Spending[] = [];
        for (const { pause, tokens } of calls) {
          now += pause;
          const wanted = { at: now, caller: 'a', tokens };
          const found = findShortfall(spent, [rule(100)], wanted);
          if (found !== undefined) now += found.retryAfterMs ?? Number.NaN;
          const later = { ...wanted, at: now };
          expect(findShortfall(spent, [rule(100)], later)).to.equal(undefined);
          made.push(later);
          spent = tidySpendings([...spent, later], now);
        }
        for (const { at } of made) {
          const within = made.filter((other) => other.at > at - HOUR && other.at <= at);
          expect(within.reduce((sum, { tokens }) => sum + tokens, 0)).to.be.at.most(100);
        }
      }),
    );
  });

  it('are booked while a call is under way and settled at what it cost', () => {
    const open: Spending = { at: 5, caller: 'a', tokens: 4000, open: 'one' };
    const other: Spending = { at: 6, caller: 'a', tokens: 4000, open: 'two' };
    expect(settle([open, other], 'one', 12)).to.deep.equal([{ at: 5, caller: 'a', tokens: 12 }, other]);
    expect(settle([open, other], 'one', 0)).to.deep.equal([other]);
  });

  it('are joined by the minute and forgotten after a day, calls under way by themselves', () => {
    const day = 24 * HOUR;
    const spent: Spending[] = [
      { at: 0, caller: 'a', tokens: 1 },
      { at: day, caller: 'a', tokens: 2 },
      { at: day + 5, caller: 'a', tokens: 3 },
      { at: day + 5, caller: 'b', tokens: 4 },
      { at: day + 5, caller: 'a', tokens: 5, open: 'x' },
    ];
    expect(tidySpendings(spent, day + 10)).to.deep.equal([
      { at: day + 5, caller: 'a', tokens: 5 },
      { at: day + 5, caller: 'b', tokens: 4 },
      { at: day + 5, caller: 'a', tokens: 5, open: 'x' },
    ]);
  });

  it('are guessed from the length where nobody counts', () => {
    expect([0, 1, 4, 5].map(estimateTokens)).to.deep.equal([0, 1, 1, 2]);
  });
});
