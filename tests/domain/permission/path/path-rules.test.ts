import { expect } from 'chai';
import fc from 'fast-check';
import { PathRules } from '../../../../src/domain/permission/path/path-rules.js';

const at = { file: 'p', line: 1, column: 1 };

function covers(pattern: string, path: string, except?: readonly string[]): boolean {
  const rules = PathRules.compile([{ pattern, ...(except && { except }), at }]);
  if (!rules.success) throw new Error(rules.error);
  const covered = rules.value.covers(path);
  // A walk asks for the entries of a folder, and must hear the same.
  const slash = path.lastIndexOf('/');
  if (path !== '/')
    expect(rules.value.coversIn(path.slice(0, slash) || '/')(path.slice(slash + 1))).to.equal(covered);
  return covered;
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
    ['/a', '/a', true],
    ['/a', '/b', false],
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/c', false],
    ['**', '/a', true],
    ['/**', '/a', true],
    ['**/**', '/a/b', true],
    ['**/é*', '/q/éa', true],
    ['**/é', '/q/é', true],
    ['**/*é', '/q/aé', true],
    ['**/*é', '/q/ae', false],
    ['**/[é]', '/q/é', true],
    ['/w/x/*', '/w/x/y', true],
    ['/w/x/*', '/w/x', false],
    ['/w/*/x', '/w/1/x', true],
    ['/w/*/x', '/w/1/y', false],
    ['/w/{x,y/z}', '/w/y/z', true],
    ['/w/{x,y/z}', '/w/y', false],
    ['**/a/*/b', '/a/1/b', true],
    ['/*/?', '/a/b', true],
    ['/*/?', '/a', false],
  ];
  for (const [pattern, path, wanted] of rows) {
    it(`${pattern} ${wanted ? 'covers' : 'does not cover'} ${path}`, () => {
      expect(covers(pattern, path)).to.equal(wanted);
    });
  }

  it('leaves out what an exception covers', () => {
    expect(covers('/a', '/a/b/c', ['/a/b'])).to.equal(false);
    expect(covers('/a', '/a/c', ['/a/b'])).to.equal(true);
    expect(covers('/a/b', '/a/b', ['**/b'])).to.equal(false);
    expect(covers('**/*.log', '/a/b.log', ['**/b.*'])).to.equal(false);
    expect(covers('**/*.log', '/a/c.log', ['**/b.*'])).to.equal(true);
    expect(covers('**/b', '/a/b', ['/a'])).to.equal(false);
    expect(covers('/a/*/c', '/a/b/c', ['/a/b'])).to.equal(false);
    expect(covers('/a/*/c', '/a/x/c', ['/a/b'])).to.equal(true);
    expect(covers('*', '/a/b', ['/a'])).to.equal(false);
    expect(covers('*', '/b', ['/a'])).to.equal(true);
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

  it('takes no pattern that is none', () => {
    for (const pattern of ['', 'a\0', '{a,b}'.repeat(12)])
      for (const rule of [
        { pattern, at },
        { pattern: '/a', except: ['/b', pattern], at },
      ])
        expect(PathRules.compile([rule]).success).to.equal(false);
  });

  it('leaves of a list what is wanted, and knows an empty one', () => {
    const rules = PathRules.compile(['/a', '/b'].map((pattern) => ({ pattern, at })));
    if (!rules.success) throw new Error(rules.error);
    const some = rules.value.where(({ pattern }) => pattern === '/b');
    expect([some.covers('/a'), some.covers('/b'), some.isEmpty, rules.value.isEmpty]).to.deep.equal([
      false,
      true,
      false,
      false,
    ]);
    expect(rules.value.where(() => false).isEmpty).to.equal(true);
    expect(PathRules.NONE.coversIn('/')('a')).to.equal(false);
    expect(PathRules.NONE.covers('/a')).to.equal(false);
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
      { numRuns: process.env.CASTELLAN_LONG === '1' ? 30_000 : 300 },
    );
  });
});
