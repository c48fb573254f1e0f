import { expect } from 'chai';
import { describe, it } from 'mocha';
import { patternsOverlap } from '../../../../src/domain/permission/path/pattern-overlap.js';

const DEEP = `/${'a/'.repeat(70)}`;

const TABLE: readonly (readonly [string, string, boolean])[] = [
  ['*', '/anything', true],
  ['/anything', '*', true],
  ['/a', '/a', true],
  ['/a', '/b', false],
  ['/a', '/a/b/c', true],
  ['/a/', '/a', true],
  ['/a/b', '/a/c', false],
  ['/a/**/x', '/a/b/c/x', true],
  ['/a/**/x', '/b/c/x', false],
  ['/**/x', '/a/**', true],
  ['/a/*.ts', '/a/b.ts', true],
  ['/a/*.ts', '/a/b.js', false],
  ['/a/*.ts', '/a/x*', true],
  ['/a/?', '/a/b', true],
  ['/a/?', '/a/bc', false],
  ['/a/b', '/a/?', true],
  ['/a/[bc]', '/a/z', true],
  ['/a/[bc]x', '/a/zy', false],
  ['/a/[b', '/a/[b', true],
  ['/a/[b', '/a/xb', false],
  ['/a/\\*', '/a/b', false],
  ['/a/\\*', '/a/\\*', true],
  ['/{a,b}', '/b', true],
  ['/{a,b}', '/c', false],
  ['/c', '/{a,b,c}', true],
  // Too long to compare: taken to have something in common.
  [DEEP, '/b', true],
  ['/b', DEEP, true],
];

describe('patternsOverlap', () => {
  for (const [first, second, expected] of TABLE) {
    it(`${first.slice(0, 20)} and ${second.slice(0, 20)}: ${expected}`, () => {
      expect(patternsOverlap(first, second)).to.equal(expected);
    });
  }
});
