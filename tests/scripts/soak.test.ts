import { expect } from 'chai';
import { describe, it } from 'mocha';
import { judgeFlatness } from '../../scripts/soak/flatness.js';
import { soakPicture } from '../../scripts/soak/picture.js';
import type { Reading } from '../../scripts/soak/readings.js';
import { runSoak } from '../../scripts/soak/run-soak.js';

const LONG = process.env.CASTELLAN_LONG === '1';

/** `grows`: how much more each of 30 readings has than the one before. */
function readings(grows: Partial<Record<'heap' | 'descriptors' | 'keys', number>>): readonly Reading[] {
  return Array.from({ length: 30 }, (_, n) => ({
    minute: n,
    // Memory rises while code is compiled, whatever follows.
    heap: [30 + Math.min(n, 8) + n * (grows.heap ?? 0), 31],
    resident: [90, 91],
    descriptors: [40, 41 + n * (grows.descriptors ?? 0)],
    keys: 30 + n * (grows.keys ?? 0),
    redis: 1.5,
  }));
}

const unsteady = (taken: readonly Reading[]) =>
  judgeFlatness(taken)
    .filter(({ flat }) => !flat)
    .map(({ title, line }) => `${title} ${line}`);

describe('the soak', () => {
  it('takes a rise that ends in the first third for warm-up', () => {
    expect(unsteady(readings({}))).to.deep.equal([]);
    expect(judgeFlatness(readings({}))).to.have.length(8);
  });

  it('names what grows, and whose it is', () => {
    expect(unsteady(readings({ heap: 0.4 }))).to.deep.equal(['memory in use after collection 0']);
    expect(unsteady(readings({ descriptors: 2 }))).to.deep.equal(['descriptors 1']);
    expect(unsteady(readings({ keys: 5 }))).to.deep.equal(['keys in Redis 0']);
  });

  it('takes nothing for flat that it has seen too little of', () => {
    expect(judgeFlatness(readings({}).slice(0, 2)).some(({ flat }) => flat)).to.equal(false);
  });

  it('draws each series with a line for each instance', () => {
    const picture = soakPicture(readings({}), 'a caption');
    expect(picture.match(/<polyline/g)).to.have.length(8);
    expect(picture).to.contain('a caption').and.to.contain('keys in Redis').and.not.to.contain('NaN');
  });

  it('finds no fault in calls, drops and reconnects over three instances', async function () {
    this.timeout(300_000);
    const minutes = LONG ? 1 : 0.05;
    const { readings: taken, count } = await runSoak({ minutes, clients: LONG ? 12 : 3, readings: 6 });
    expect(count.faults).to.deep.equal([]);
    expect(count.calls).to.be.above(5);
    expect(taken.length).to.be.above(0);
    for (const { heap, descriptors, keys } of taken) {
      expect(Math.max(...heap)).to.be.within(1, 200);
      expect(Math.max(...descriptors)).to.be.below(500);
      expect(keys).to.be.below(500);
    }
  });
});
