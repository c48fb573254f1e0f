import { expect } from 'chai';
import { describe, it } from 'mocha';
import { interleavedRounds } from '../../bench/interleaved-rounds.js';

describe('Interleaved rounds', () => {
  it('measures everybody once a round and lets another one begin each time', async () => {
    const order: string[] = [];
    const contender = (name: string) => ({
      name,
      measure: async () => {
        order.push(name);
        return { cpu: order.length };
      },
    });
    const results = await interleavedRounds([contender('a'), contender('b')], 2);
    expect(order).to.deep.equal(['a', 'b', 'b', 'a']);
    expect(results).to.deep.equal([
      { subject: 'a', samples: [{ cpu: 1 }, { cpu: 4 }] },
      { subject: 'b', samples: [{ cpu: 2 }, { cpu: 3 }] },
    ]);
  });

  it('measures a failed contender no further and keeps its reason', async () => {
    let attempts = 0;
    const failing = {
      name: 'a',
      measure: () => {
        attempts += 1;
        return Promise.reject(new Error('it died'));
      },
    };
    const results = await interleavedRounds([failing], 3);
    expect(attempts).to.equal(1);
    expect(results).to.deep.equal([{ subject: 'a', samples: [], failure: 'it died' }]);
  });
});
