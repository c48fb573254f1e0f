import { posix } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { normalisePath } from '../../../src/domain/permission/normal-path.js';

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
      { numRuns: process.env.CASTELLAN_LONG === '1' ? 20_000 : 2_000 },
    );
  });
});
