import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decodeCursor, encodeCursor } from '../../../src/application/tool/page-cursor.js';
import { mustFail, mustValue } from '../../support/sample-tool.js';

describe('page cursor', () => {
  it('comes back as it was given out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(mustValue(decodeCursor(encodeCursor(name)))).to.equal(name);
      }),
    );
  });

  it('is the beginning when there is none', () => {
    expect(mustValue(decodeCursor(undefined))).to.equal('');
  });

  for (const foreign of ['', 'echo', '%%%', btoa('echo'), btoa('\xff\xfe')]) {
    it(`refuses ${JSON.stringify(foreign)}, which it never gave out`, () => {
      const failure = mustFail(decodeCursor(foreign));
      expect(failure.errorType).to.equal('InvalidCursor');
      expect(failure.error).to.contain('next_cursor');
    });
  }
});
