import { expect } from 'chai';
import { meansByKind, pairedInterval } from '../../bench/search-peers.js';

describe('Comparing search with other libraries', () => {
  it('puts the mean difference of the same queries between two bounds', () => {
    const differences = Array.from({ length: 200 }, (_, index) => (index % 4 === 0 ? 0.5 : 0));
    const [low, high] = pairedInterval(differences);
    expect(low).to.be.within(0.08, 0.124);
    expect(high).to.be.within(0.126, 0.17);
  });

  it('is not ahead where wins and losses are even', () => {
    const [low, high] = pairedInterval(Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 1 : -1)));
    expect(low).to.be.below(0);
    expect(high).to.be.above(0);
  });

  it('tells the mean of each kind of query and of all', () => {
    const queries = ['title', 'title', 'question'].map((kind) => ({ kind, query: kind, answer: 'a.md' }));
    expect(meansByKind({ name: 'x', folder: '.', queries }, [1, 0.5, 0])).to.deep.equal({
      all: 0.5,
      title: 0.75,
      question: 0,
    });
  });
});
