import { expect } from 'chai';
import fc from 'fast-check';
import { parseContentExpression } from '../../../../src/domain/knowledge/document/content-expression.js';

function parsed(expression: string, pattern?: string) {
  const result = parseContentExpression(expression, pattern);
  if (!result.success) throw new Error(result.error);
  return result.value.map(({ name, patterns }) => [name, ...patterns]);
}

describe('A content expression', () => {
  const table: readonly (readonly [string, string | undefined, readonly (readonly string[])[]])[] = [
    ['lang', undefined, [['lang']]],
    ['lang/python', undefined, [['lang', 'python']]],
    ['lang', 'python', [['lang', 'python']]],
    ['lang/python+java+rust', undefined, [['lang', 'python', 'java', 'rust']]],
    ['lang', 'python+java', [['lang', 'python', 'java']]],
    ['lang/python,docs/api,guidelines', undefined, [['lang', 'python'], ['docs', 'api'], ['guidelines']]],
    [
      'lang/java,docs',
      'python',
      [
        ['lang', 'java', 'python'],
        ['docs', 'python'],
      ],
    ],
    ['  lang / python + java , , docs ', undefined, [['lang', 'python', 'java'], ['docs']]],
    ['lang/,docs/+,', undefined, [['lang'], ['docs']]],
    ['lang/web/react', undefined, [['lang', 'web/react']]],
    ['lang/**/a*.md+b?', undefined, [['lang', '**/a*.md', 'b?']]],
    ['lang', '{a,b}', [['lang', '{a,b}']]],
    ['lang/a..b', undefined, [['lang', 'a..b']]],
  ];
  for (const [expression, pattern, expected] of table) {
    it(`"${expression}"${pattern === undefined ? '' : ` with "${pattern}"`} has its parts`, () => {
      expect(parsed(expression, pattern)).to.deep.equal(expected);
    });
  }

  it('S0-66: a slash divides like a second argument', () => {
    expect(parsed('lang/python')).to.deep.equal(parsed('lang', 'python'));
  });

  it('S0-67, S0-68: plus joins patterns of one part, a comma joins parts, both in order', () => {
    expect(parsed('lang/python+java+rust')).to.deep.equal([['lang', 'python', 'java', 'rust']]);
    expect(parsed('lang/python,docs/api,guidelines').map(([name]) => name)).to.deep.equal([
      'lang',
      'docs',
      'guidelines',
    ]);
  });

  for (const bad of [
    '',
    ' , ',
    '/python',
    'a/../b',
    'a/..',
    'a//etc/passwd',
    'a/x/../../y',
    'a/\\..',
    'a/b\0c',
    'x'.repeat(3000),
  ]) {
    it(`refuses ${JSON.stringify(bad.slice(0, 20))} and says why`, () => {
      const result = parseContentExpression(bad);
      expect(result.success).to.equal(false);
      if (!result.success) expect(result.error).to.match(/\w{4}.*\./);
    });
  }

  it('refuses a pattern beside it that leads out', () => {
    expect(parseContentExpression('lang', '../secret').success).to.equal(false);
    expect(parseContentExpression('lang', '/etc/passwd').success).to.equal(false);
  });

  it('whatever comes in, no pattern with a step upwards comes out', () => {
    const piece = fc.constantFrom(
      'a',
      '/',
      ',',
      '+',
      '..',
      '.',
      ' ',
      '\\',
      '*',
      '**',
      '{',
      '}',
      '\0',
      'lang',
      'é',
    );
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), fc.option(text, { nil: undefined }), (expression, pattern) => {
        const result = parseContentExpression(expression, pattern);
        if (!result.success) return;
        expect(result.value.length).to.be.greaterThan(0);
        for (const { name, patterns } of result.value) {
          expect(name.trim()).to.equal(name).and.not.equal('');
          for (const each of patterns) {
            expect(each.startsWith('/')).to.equal(false);
            expect(each.split('/')).not.to.include('..');
            expect(each).not.to.include('\0');
          }
        }
      }),
      { numRuns: process.env.CASTELLAN_LONG === '1' ? 20_000 : 300 },
    );
  });
});
