import { expect } from 'chai';
import fc from 'fast-check';
import { PathRules } from '../../../../src/domain/permission/path/path-rules.js';

const at = { file: 'p', line: 1, column: 1 };

function covers(pattern: string, path: string, except?: readonly string[]): boolean {
  const rules = PathRules.compile([{ pattern, ...(except && { except }), at }]);
  if (!rules.success) throw new Error(rules.error);
  return rules.value.covers(path);
}

describe('PathRules', () => {
  const rows: readonly [string, string, boolean][] = [
    ['/tmp', '/tmp', true],
    ['/tmp', '/tmp/a/b', true],
    ['/tmp', '/tmpfile', false],
    ['/tmp', '/', false],
    ['/tmp/a', '/tmp', false],
    ['*', '/anything/at/all', true],
    ['/', '/anything', true],
    ['**/.env*', '/.env', true],
    ['**/.env*', '/a/b/.env.local', true],
    ['**/.env*', '/a/.env.d/file', true],
    ['**/.env*', '/a/env', false],
    ['**/*.pem', '/a/b.pem', true],
    ['**/*.pem', '/a/b.pem/c', true],
    ['**/*.pem', '/a/bpem', false],
    ['**/a/b', '/a/b', true],
    ['**/a/b', '/x/a/b/c', true],
    ['**/a/b', '/x/a/c/b', false],
    ['**/a/**', '/x/a/y', true],
    ['/w/*/x', '/w/1/x/y', true],
    ['/w/*/x', '/w/1/2/x', false],
    ['**/{a,b/c}/x', '/q/b/c/x', true],
    ['**/{a,b}', '/q/b', true],
    ['**/[ab]z', '/q/bz', true],
    ['**/a[xy]', '/q/ay', true],
    ['**/*[xy]', '/q/ay', true],
    ['**/?', '/q', true],
    ['**/\\*', '/q/*', true],
    ['**/\\*', '/q/a', false],
    ['/proc/*/mem', '/proc/self/mem', true],
  ];
  for (const [pattern, path, wanted] of rows) {
    it(`${pattern} ${wanted ? 'covers' : 'does not cover'} ${path}`, () => {
      expect(covers(pattern, path)).to.equal(wanted);
    });
  }

  it('leaves out what an exception covers', () => {
    expect(covers('/a', '/a/b/c', ['/a/b'])).to.equal(false);
    expect(covers('/a', '/a/c', ['/a/b'])).to.equal(true);
  });

  it('reports the first rule of the list, and all of them on request', () => {
    const rules = PathRules.compile(
      ['**/x', '/w', '/w/x'].map((pattern, index) => ({ pattern, at: { ...at, line: index + 1 } })),
    );
    if (!rules.success) throw new Error(rules.error);
    expect(rules.value.find('/w/x')?.at.line).to.equal(1);
    expect(
      rules.value
        .findAll('/w/x')
        .map((rule) => rule.at.line)
        .sort(),
    ).to.deep.equal([1, 2, 3]);
  });

  it('answers each path for itself, whatever it was asked before', () => {
    const rules = PathRules.compile([{ pattern: '/w', except: ['/w/out'], at }]);
    if (!rules.success) throw new Error(rules.error);
    const asked = ['/w/a', '/w/out', '/w/a', '/x', '/w/out/b', '/w/a'];
    expect(asked.map((path) => rules.value.covers(path))).to.deep.equal([
      true,
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  it('says the same of an entry when asked folder by folder', () => {
    const patterns = fc.constantFrom(...rows.map(([pattern]) => pattern), '/q', '/a/b', '**/a/**/b', '/**/x');
    const rule = fc.record({ pattern: patterns, except: fc.option(fc.array(patterns, { maxLength: 2 })) });
    const name = fc.constantFrom(
      'a',
      'b',
      'x',
      '.env',
      '.env.d',
      'b.pem',
      'tmp',
      'q',
      'ay',
      'bz',
      'c',
      'w',
      '*',
    );
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 4 }),
        fc.array(name, { maxLength: 4 }),
        name,
        (given, above, last) => {
          const rules = PathRules.compile(
            given.map(({ pattern, except }) => ({ pattern, ...(except && { except }), at })),
          );
          if (!rules.success) return;
          const folder = `/${above.join('/')}`;
          const path = folder === '/' ? `/${last}` : `${folder}/${last}`;
          expect(rules.value.coversIn(folder)(last)).to.equal(rules.value.covers(path));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
