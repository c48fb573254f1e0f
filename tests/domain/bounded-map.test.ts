import { expect } from 'chai';
import { describe, it } from 'mocha';
import { BoundedMap } from '../../src/domain/bounded-map.js';

describe('BoundedMap', () => {
  it('forgets the oldest entry for a new one', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2).set('c', 3);
    expect([...map]).to.deep.equal([
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('counts an entry that is set again as new, and pushes nothing out for it', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...map]).to.deep.equal([
      ['a', 3],
      ['c', 4],
    ]);
  });
});
