import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { encodeCursor, parseCursor } from '../../../src/domain/file/path-cursor.js';

describe('page cursor', () => {
  it('gives back the position it was made of, whatever the name', () => {
    const name = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => !/^\/|\0/.test(text) && !text.split('/').includes('..'));
    fc.assert(
      fc.property(name, fc.option(fc.nat(), { nil: undefined }), (path, line) => {
        const parsed = parseCursor(encodeCursor({ path, ...(line !== undefined && { line }) }));
        expect(parsed.success && parsed.value).to.deep.equal({ path, ...(line !== undefined && { line }) });
      }),
    );
  });
  it('refuses what no answer contained, and says what to give', () => {
    for (const cursor of ['', 'x', 'c1..', 'c1..%ZZ', 'c1../etc', 'c1..a%2F..%2Fb', 'c1..%00']) {
      const parsed = parseCursor(cursor);
      expect(parsed.success, cursor).to.equal(false);
      if (!parsed.success) expect(parsed.error).to.contain('next_cursor');
    }
  });
});
