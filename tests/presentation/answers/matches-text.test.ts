import { expect } from 'chai';
import { describe, it } from 'mocha';
import { showMatches } from '../../../src/presentation/answers/matches-text.js';

const match = (
  path: string,
  line: number,
  text: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
) => ({
  path,
  line,
  column: 1,
  text,
  before,
  after,
});

const shown = (...matches: readonly object[]): string => showMatches(matches).texts.join('\n');

describe('matches as text', () => {
  it('are grouped under the path of their file', () => {
    const matches = [match('a.ts', 3, 'one'), match('a.ts', 9, 'two'), match('b.ts', 1, 'three')];
    expect(shown(...matches)).to.equal('a.ts\n3:one\n9:two\n\nb.ts\n1:three');
  });

  it('show their neighbours once, with a dash, and a gap between groups', () => {
    const matches = [
      match('a.ts', 2, 'x', ['1st'], ['x too']),
      match('a.ts', 3, 'x too', ['x'], ['4th']),
      match('a.ts', 9, 'x', ['8th'], []),
    ];
    expect(shown(...matches)).to.equal('a.ts\n1-1st\n2:x\n3:x too\n4-4th\n--\n8-8th\n9:x');
  });

  it('keep a path on one line', () => {
    expect(shown(match('a\n\nb.ts\n1:x', 1, 'x'))).to.equal('a\\n\\nb.ts\\n1:x\n1:x');
  });

  it('say so when there is none', () => {
    expect(showMatches([])).to.deep.equal({ texts: [], notes: ['No match.'] });
  });
});
