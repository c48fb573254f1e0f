import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { cursorAt, offsetOf, pageAfter } from '../../../src/application/tool/page-cursor.js';
import { mustFail, mustValue } from '../../support/sample-tool.js';

function allOf(keys: readonly string[]): readonly string[] {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = mustValue(pageAfter(keys, (key) => key, cursor));
    expect(page.items.length).to.be.at.most(100);
    seen.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return seen;
}

describe('pageAfter', () => {
  it('S4-17: its pages together are the list in order, each entry once', () => {
    const keys = fc.uniqueArray(fc.string({ unit: 'grapheme' }), { maxLength: 350 });
    fc.assert(
      fc.property(keys, (list) => {
        expect(allOf(list)).to.deep.equal([...list].sort((a, b) => (a < b ? -1 : 1)));
      }),
      { numRuns: 50 },
    );
    const many = Array.from({ length: 301 }, (_, n) => `k${String(n).padStart(3, '0')}`);
    expect(allOf([...many].reverse())).to.deep.equal(many);
  });

  it('gives no cursor after the last page', () => {
    expect(mustValue(pageAfter(['a'], (key) => key, undefined))).to.deep.equal({ items: ['a'] });
    const full = Array.from({ length: 100 }, (_, n) => `k${n}`);
    expect(mustValue(pageAfter(full, (key) => key, undefined))).not.to.have.property('nextCursor');
  });

  for (const foreign of ['', 'echo', '%%%', btoa('echo'), btoa('\xff\xfe')]) {
    it(`refuses the cursor ${JSON.stringify(foreign)}, which it never gave out`, () => {
      const failure = mustFail(pageAfter(['a'], (key) => key, foreign));
      expect(failure.errorType).to.equal('InvalidCursor');
      expect(failure.error).to.contain('next_cursor');
    });
  }
});

describe('offsetOf', () => {
  it('reads what cursorAt gave out, and begins at the first without a cursor', () => {
    for (const offset of [0, 1, 100]) expect(mustValue(offsetOf(cursorAt(offset)))).to.equal(offset);
    expect(mustValue(offsetOf(undefined))).to.equal(0);
  });

  for (const foreign of [
    '',
    'echo',
    btoa('after:-1'),
    btoa('after:1.5'),
    btoa('after:echo'),
    btoa('after:1e99'),
  ]) {
    it(`refuses the cursor ${JSON.stringify(foreign)}, which it never gave out`, () => {
      expect(mustFail(offsetOf(foreign))).to.have.property('errorType', 'InvalidCursor');
    });
  }
});
