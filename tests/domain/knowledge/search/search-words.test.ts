import { expect } from 'chai';
import fc from 'fast-check';
import { editDistance } from '../../../../src/domain/edit-distance.js';
import { excerptOf } from '../../../../src/domain/knowledge/search/excerpt.js';
import { rarity, termWeight, titleFactor } from '../../../../src/domain/knowledge/search/ranking.js';
import { stem } from '../../../../src/domain/knowledge/search/stem.js';
import {
  allowedSlips,
  differingLetters,
  letterMask,
} from '../../../../src/domain/knowledge/search/word-distance.js';
import { forEachRun, splitRun } from '../../../../src/domain/knowledge/search/word-split.js';

function runs(text: string): readonly string[] {
  const found: string[] = [];
  forEachRun(text, 0, text.length, (run) => found.push(run));
  return found;
}

describe('Words of a search', () => {
  it('S3-30: forms of a word share a stem, other words do not', () => {
    for (const family of [
      ['validate', 'validates', 'validated', 'validating', 'validation'],
      ['policy', 'policies'],
      ['index', 'indexes', 'indexed', 'indexing'],
      ['stop', 'stops', 'stopped', 'stopping'],
      ['relational', 'relate'],
    ]) {
      expect(new Set(family.map(stem)).size, family.join(' ')).to.equal(1);
    }
    expect(stem('status')).not.to.equal(stem('state'));
    expect(stem('über')).to.equal('über');
  });

  it('S3-30: identifiers are found whole and by their parts', () => {
    expect(splitRun('eth_getBlockByNumber')).to.deep.equal([
      'ethgetblockbynumber',
      'eth',
      'get',
      'block',
      'by',
      'number',
    ]);
    expect(splitRun('HTTPServer2')).to.deep.equal(['httpserver2', 'http', 'server', '2']);
    expect(splitRun('STATICCALL')).to.deep.equal(['staticcall']);
    expect(splitRun('Café')).to.deep.equal(['cafe']);
    expect(splitRun('設計文書')).to.deep.equal(['設計', '計文', '文書']);
    expect(splitRun('f'.repeat(64))).to.deep.equal([]);
  });

  it('runs of words leave nothing out that is a letter', () => {
    expect(runs('a-b_c (dé) 𝒳1')).to.deep.equal(['a', 'b_c', 'dé', '𝒳1']);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(runs(text).join('')).to.equal(text.replace(/[^\p{L}\p{N}\p{M}_]/gu, ''));
      }),
    );
  });

  it('slips are insertions, deletions, replacements and swaps', () => {
    const table: readonly (readonly [string, string, number])[] = [
      ['block', 'block', 0],
      ['blok', 'block', 1],
      ['bolck', 'block', 1],
      ['blick', 'block', 1],
      ['blocks', 'block', 1],
      ['lbokc', 'block', 2],
      ['abc', 'xyz', 3],
    ];
    for (const [a, b, distance] of table) expect(editDistance(a, b, 3), `${a} ${b}`).to.equal(distance);
    expect(editDistance('abcdefgh', 'zzzzzzzz', 2)).to.equal(3);
    expect([3, 4, 8].map(allowedSlips)).to.deep.equal([0, 1, 2]);
  });

  it('words within n slips differ in at most 2n letters: the quick check loses nothing', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const slips = editDistance(a, b, 10);
        expect(differingLetters(letterMask(a), letterMask(b))).to.be.at.most(2 * slips);
        expect(editDistance(b, a, 10)).to.equal(slips);
      }),
    );
  });

  it('a rare word tells more, repetition less and less, a covered title most', () => {
    expect(rarity(100, 1)).to.be.greaterThan(rarity(100, 50));
    const body = (count: number) => termWeight({ title: 0, heading: 0, lead: 0, body: count }, 100, 100);
    expect(body(2) - body(1)).to.be.greaterThan(body(12) - body(11));
    expect(termWeight({ title: 1, heading: 0, lead: 0, body: 0 }, 100, 100)).to.be.greaterThan(body(1));
    expect(titleFactor(1, 1)).to.be.greaterThan(3);
    expect(titleFactor(0.1, 1)).to.be.lessThan(1.1);
  });

  it('S3-29: an excerpt is whole sentences around the best one', () => {
    const section =
      '# Heading\n\nFirst things first. The breaker opens after five faults. Then it rests! Last words.';
    const excerpt = excerptOf(section, (sentence) => (sentence.includes('breaker') ? 1 : 0));
    expect(excerpt).to.equal('The breaker opens after five faults. Then it rests! Last words.');
    expect(excerptOf('', () => 0)).to.equal('');
    expect(excerptOf(`${'word '.repeat(500)}.`, () => 1)).to.match(/^(?:word )+…$/);
  });
});
