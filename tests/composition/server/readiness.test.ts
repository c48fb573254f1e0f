import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { InstanceFacts, SharedStatus } from '../../../src/application/ports/system/shared-state.js';
import { readinessOf } from '../../../src/composition/server/readiness.js';

const read = (status: SharedStatus) =>
  readinessOf({ join: async () => undefined, status: () => status, close: async () => undefined });

const ME: InstanceFacts = { instance: 'a', version: '1.0.0', skewMs: 2 };
const joined = (...others: readonly InstanceFacts[]): SharedStatus => ({
  state: 'joined',
  instance: 'a',
  skewMs: 2,
  instances: [ME, ...others],
});

describe('what /readyz tells', () => {
  it('is nothing more for a server that is alone', () => {
    expect(read({ state: 'alone' })).to.deep.equal({ ready: true, detail: [] });
  });

  it('is who serves, in which version and with which clock', () => {
    expect(read(joined({ instance: 'b', version: '1.0.0', skewMs: -4 }))).to.deep.equal({
      ready: true,
      detail: ['instance a; Redis answers; serving: a 1.0.0 2 ms, b 1.0.0 -4 ms'],
    });
  });

  it('says what to do about clocks and versions that differ, and stays ready', () => {
    const skewed = read(joined({ instance: 'b', version: '1.0.0', skewMs: -4000 }));
    expect(skewed.ready).to.equal(true);
    expect(skewed.detail[1]).to.equal('Synchronise the clocks of all machines with NTP.');
    const mixed = read(joined({ instance: 'b', version: '0.9.0', skewMs: 0 }));
    expect(mixed.ready).to.equal(true);
    expect(mixed.detail[1]).to.equal('Run the same version on all instances after the upgrade.');
  });

  it('sends requests elsewhere while Redis cannot be used', () => {
    for (const state of ['away', 'refused'] as const)
      expect(read({ state, instance: 'a', why: 'Redis does not answer.' })).to.deep.equal({
        ready: false,
        detail: ['Redis does not answer. (instance a)'],
      });
  });
});
