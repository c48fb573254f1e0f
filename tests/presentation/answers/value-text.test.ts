import { expect } from 'chai';
import { describe, it } from 'mocha';
import { plainName } from '../../../src/presentation/answers/plain-name.js';
import { valueText } from '../../../src/presentation/answers/value-text.js';

describe('any value as text', () => {
  it('is a line a member, indented below its key where it is nested', () => {
    const value = {
      name: 'a',
      on: true,
      none: null,
      list: [1, 2],
      empty: [],
      deep: { key: 'b', more: { c: 1 } },
    };
    expect(valueText(value)).to.equal(
      'name: a\non: true\nnone: null\nlist: 1, 2\nempty: []\ndeep:\n  key: b\n  more:\n    c: 1',
    );
  });

  it('is a line an entry, with a dash where an entry takes more', () => {
    expect(valueText(['a', 'b'])).to.equal('a\nb');
    expect(valueText([{ a: 1, b: 2 }, { a: 3 }])).to.equal('- a: 1\n  b: 2\n- a: 3');
  });

  it('indents a text of several lines, so that none of them looks like a key', () => {
    expect(valueText({ excerpt: 'one\nallowed: true', allowed: false })).to.equal(
      'excerpt:\n  one\n  allowed: true\nallowed: false',
    );
  });

  it('keeps keys and short texts on their line', () => {
    expect(valueText({ 'a\nallowed: true': 'x\ry' })).to.equal('a\\nallowed: true: x\\ry');
  });
});

describe('a name as text', () => {
  it('has its control characters escaped and nothing else', () => {
    expect(plainName('a\nb\tc\r\u001b[31m\u0085\u2028\u202e')).to.equal(
      'a\\nb\\tc\\r\\x1b[31m\\x85\\u2028\\u202e',
    );
    expect(plainName('Ünï "cödé" \\n 👍.ts')).to.equal('Ünï "cödé" \\n 👍.ts');
  });
});
