import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  compilePattern,
  type PathPattern,
  type PatternOptions,
} from '../../../../src/domain/permission/path/path-pattern.js';

function pattern(source: string, options?: PatternOptions): PathPattern {
  const compiled = compilePattern(source, options);
  if (!compiled.success) throw new Error(compiled.error);
  return compiled.value;
}

describe('compilePattern', () => {
  const cases: [string, string, boolean][] = [
    ['*.ts', 'src/a/b.ts', true],
    ['*.ts', 'src/a/b.tsx', false],
    ['*', '.env', true],
    ['id_rsa*', '/home/u/.ssh/id_rsa.pub', true],
    ['a*b?c', 'x/aZZbYc', true],
    ['?', '😀', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['[a-', '[a-', true],
    ['[a/b]', 'a', false],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['src/**/*.ts', 'src/b.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['**/x', '/a/b/x', true],
    ['**/x', 'x', true],
    ['**/x', '/a/xx', false],
    ['/ws/**', '/ws', true],
    ['/ws/**', '/ws/a/b', true],
    ['/ws/**', '/wsx/a', false],
    ['**/.git/hooks/**', '/w/.git/hooks/pre-commit', true],
    ['**', 'any/thing', true],
    ['a/**/**/b', 'a/b', true],
    ['*.{ts,js}', 'x.js', true],
    ['*.{ts,js}', 'x.css', false],
    ['{a,b/{c,d}}/e', 'b/d/e', true],
    ['{a}', '{a}', true],
    ['a{b', 'a{b', true],
    ['build/', 'x/build', true],
    ['./a/b', 'a/b', true],
    ['a\nb*', 'a\nbc', true],
    ['a*', 'ba', false],
    ['*a', 'ab', false],
    ['a**b', 'axb', true],
    ['a*?', 'a', false],
    ['a*?', 'ab', true],
    ['*?', '😀', true],
    ['??', '😀', false],
    ['*b*a', 'bba', true],
    ['*😀?', 'a😀b', true],
    ['a\\', 'a\\', true],
    ['[\\]]x', ']x', true],
    ['[a\\-c]', 'b', false],
    ['[a\\-c]', '-', true],
    ['[a-]', '-', true],
    ['[-a]', '-', true],
    ['[!]]', ']', false],
    ['[!]]', 'a', true],
    ['[^]a]', 'b', true],
    ['[!]', '[!]', true],
    ['[]', '[]', true],
    ['[a-c]', 'a', true],
    ['[a-c]', 'c', true],
    ['[a-c]', 'd', false],
    ['[a-cx-z]', 'y', true],
    ['[😀-😂]', '😁', true],
    ['[*]', '*', true],
    ['[*]', 'a', false],
    ['\\{a,b}', '{a,b}', true],
    ['[{,]}', '{}', true],
    ['{a\\,b,c}', 'a,b', true],
    ['{a,b', '{a,b', true],
    ['x{,y}', 'x', true],
    ['x{,y}', 'xy', true],
    ['{a,{b,c}}', 'c', true],
    ['{{a,b}}', '{a}', true],
    ['{a{b,c}', '{ac', true],
    ['{a}{b,c}', '{a}c', true],
    ['{a,b}}', 'a}', true],
    ['/a/**/b/**/c', '/a/b/x/c', true],
    ['/a/**/b/**/c', '/a/x/c', false],
    ['/**', '/', true],
    ['/a', '/a/b', false],
    ['/a/*', '/a', false],
    ['a/b/', 'a/b', true],
    ['././a/b', 'a/b', true],
    ['/', '/', true],
    ['a/b', 'x/a/b', false],
    ['a/*/b', 'x/a/1/b', false],
    ['a?b', 'xa1b', false],
    ['[!a-c', '[!a-c', true],
    ['[^a', '[^a', true],
  ];
  for (const [source, path, expected] of cases) {
    it(`${JSON.stringify(source)} ${expected ? 'matches' : 'does not match'} ${JSON.stringify(path)}`, () => {
      expect(pattern(source).matches(path)).to.equal(expected);
    });
  }

  it('covers what lies below a folder that it matches', () => {
    expect(pattern('.ssh').covers('/home/u/.ssh/keys/a')).to.equal(true);
    expect(pattern('.ssh').covers('/home/u/.sshd/keys/a')).to.equal(false);
    expect(pattern('?*').covers('/')).to.equal(false);
    expect(pattern('*').covers('/')).to.equal(false);
    expect(pattern('/ws/secret').covers('/ws/secret/a/b')).to.equal(true);
    expect(pattern('/ws/secret').covers('/ws/secrets')).to.equal(false);
    expect(pattern('**/.docker/config.json').covers('/home/u/.docker/config.json')).to.equal(true);
  });

  it('takes upper and lower case for the same when told so', () => {
    expect(pattern('.env*', { ignoreCase: true }).matches('/w/.ENV.local')).to.equal(true);
    expect(pattern('.env*').matches('/w/.ENV.local')).to.equal(false);
  });

  it('leaves braces alone when told so', () => {
    expect(pattern('{a,b}', { braces: false }).matches('{a,b}')).to.equal(true);
  });

  it('refuses what is empty, overlong, contains NUL, or expands without bound, and says why', () => {
    for (const source of ['', 'a'.repeat(5000), 'a\0b', '{a,b}'.repeat(12)]) {
      const compiled = compilePattern(source);
      expect(compiled.success).to.equal(false);
      if (!compiled.success) expect(compiled.error).to.match(/pattern/i);
    }
  });

  it('takes patterns up to their greatest length and number, and no more', () => {
    expect(compilePattern('a'.repeat(4096)).success).to.equal(true);
    expect(compilePattern('a'.repeat(4097)).success).to.equal(false);
    expect(compilePattern('{a,b}'.repeat(8)).success).to.equal(true);
    expect(compilePattern(`${'{a,b}'.repeat(7)}{a,b,c}`).success).to.equal(false);
  });

  it('needs no more steps than path times pattern: hostile stars end at once', () => {
    const name = 'a'.repeat(20_000);
    expect(pattern(`${'*a'.repeat(200)}*b`).matches(name)).to.equal(false);
    expect(pattern(`${'**/*a*a*a/'.repeat(30)}b`).matches(`${'aaaaaa/'.repeat(2000)}c`)).to.equal(false);
    expect(pattern('{*a*a*a*a*b,*[a]*[a]*[a]*c}').matches(name)).to.equal(false);
  });

  it('agrees with a regular expression on small random patterns', () => {
    const unit = fc.constantFrom('a', 'b', '*', '?', '/', '**/', '[ab]', '[!a]');
    const source = fc.array(unit, { minLength: 1, maxLength: 7 }).map((units) => units.join(''));
    const path = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/'), maxLength: 8 });
    fc.assert(
      fc.property(source, path, (glob, text) => {
        fc.pre(!glob.endsWith('/') && !glob.startsWith('/') && !text.startsWith('/'));
        // Two stars that happen to meet at the end are a globstar to us and not to the reference.
        fc.pre(!/(^|\/)\*\*$/.test(glob));
        expect(pattern(`x/${glob}`).matches(`x/${text}`), `${glob} on ${text}`).to.equal(
          reference(`x/${glob}`).test(`x/${text}`),
        );
      }),
      { numRuns: process.env.CASTELLAN_LONG === '1' ? 20_000 : 300 },
    );
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (glob, text) => {
        const compiled = compilePattern(glob);
        if (compiled.success) expect(compiled.value.matches(text)).to.be.a('boolean');
      }),
    );
  });
});

function reference(glob: string): RegExp {
  const segments = glob.split('/');
  const source = segments
    .map((segment, index) => {
      const last = index === segments.length - 1;
      if (segment === '**') return last ? '(?:[^/]*(?:/[^/]*)*)?' : '(?:[^/]*/)*';
      const body = segment
        .replace(/\*+/g, '*')
        .replace(/\[!a\]|\[ab\]|\*|\?|./g, (unit) =>
          unit === '*' ? '[^/]*' : unit === '?' ? '[^/]' : unit === '[!a]' ? '[^a/]' : unit,
        );
      return last ? body : `${body}/`;
    })
    .join('');
  return new RegExp(`^${source}$`);
}
