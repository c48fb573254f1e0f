import { posix } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { normalisePath, pathInWorkspace } from '../../../../src/domain/permission/path/normal-path.js';

describe('normalisePath', () => {
  it('resolves against the folder as a file system without links would', () => {
    const part = fc.constantFrom('a', 'b c', '.', '..', '', '.git', '...', '..a', 'é');
    const path = fc
      .tuple(fc.boolean(), fc.array(part, { maxLength: 6 }))
      .map(([absolute, parts]) => `${absolute ? '/' : ''}${parts.join('/')}`);
    const base = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(path, base, (given, folder) => {
        const wanted = posix.resolve(folder, given);
        expect(normalisePath(given, folder)).to.equal(wanted === '//' ? '/' : wanted);
      }),
      { numRuns: process.env.CASTELLAN_LONG === '1' ? 20_000 : 300 },
    );
  });
});

describe('pathInWorkspace', () => {
  const workspace = { root: '/private/tmp/project', named: '/tmp/project' };

  for (const [given, meant] of [
    ['src/a.ts', '/private/tmp/project/src/a.ts'],
    ['.', '/private/tmp/project'],
    ['/tmp/project', '/private/tmp/project'],
    ['/tmp/project/', '/private/tmp/project'],
    ['/tmp/project/src/a.ts', '/private/tmp/project/src/a.ts'],
    ['/private/tmp/project/src/a.ts', '/private/tmp/project/src/a.ts'],
    // Only what is in the workspace by its name: not a sibling, and not what dots lead out to.
    ['/tmp/project-two/a.ts', '/tmp/project-two/a.ts'],
    ['/tmp/project/../other', '/tmp/other'],
    ['/tmp/project/a/../../other', '/tmp/other'],
    ['../other', '/private/tmp/other'],
    ['/etc/passwd', '/etc/passwd'],
  ] as const) {
    it(`takes ${given} for ${meant}`, () => {
      expect(pathInWorkspace(given, workspace)).to.equal(meant);
    });
  }

  it('resolves as usual where the workspace was named by its real path', () => {
    for (const path of ['a/b', '/tmp/project/a', '../x'])
      expect(pathInWorkspace(path, { root: '/w' })).to.equal(normalisePath(path, '/w'));
  });
});
