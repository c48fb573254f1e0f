import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Clock } from '../../src/application/ports/system/clock.js';
import type { IdSource } from '../../src/application/ports/system/id-source.js';
import { RandomIdSource } from '../../src/infrastructure/system/random-id-source.js';
import { SystemClock } from '../../src/infrastructure/system/system-clock.js';
import { ManualClock, SequentialIds } from '../../src/testing/testing.js';

const clocks: readonly (readonly [string, () => Clock])[] = [
  ['SystemClock', () => new SystemClock()],
  ['ManualClock', () => new ManualClock()],
];
for (const [name, make] of clocks) {
  describe(`${name} is a Clock`, () => {
    it('tells milliseconds since the epoch, and a duration that only grows', () => {
      const clock = make();
      expect(new Date(clock.now()).getUTCFullYear()).to.be.at.least(2025);
      const times = Array.from({ length: 100 }, () => clock.elapsed());
      expect(times).to.deep.equal([...times].sort((a, b) => a - b));
    });
  });
}

const sources: readonly (readonly [string, () => IdSource])[] = [
  ['RandomIdSource', () => new RandomIdSource()],
  ['SequentialIds', () => new SequentialIds()],
];
for (const [name, make] of sources) {
  describe(`${name} is an IdSource`, () => {
    it('gives every id once, in letters that fit everywhere', () => {
      const source = make();
      const ids = Array.from({ length: 10_000 }, () => source.next());
      expect(new Set(ids).size).to.equal(ids.length);
      for (const id of ids) expect(id).to.match(/^[\w-]{3,64}$/);
    });
  });
}

describe('ManualClock', () => {
  it('moves by hand only, and only forward', () => {
    const clock = new ManualClock(1000);
    clock.advance(50);
    expect([clock.now(), clock.elapsed()]).to.deep.equal([1050, 50]);
    expect(() => clock.advance(-1)).to.throw(RangeError);
    expect(() => clock.advance(Number.NaN)).to.throw(RangeError);
  });
});

describe('RandomIdSource', () => {
  it('shares no id with another process', () => {
    expect(new RandomIdSource().next()).not.to.equal(new RandomIdSource().next());
  });
});
