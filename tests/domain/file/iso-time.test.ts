import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isoTime } from '../../../src/domain/file/iso-time.js';

describe('isoTime', () => {
  it('writes times as Date does, in any order', () => {
    const near = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const far = fc.double({ min: -8.64e15, max: 8.64e15, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.oneof(near, far), { maxLength: 50 }), (times) => {
        for (const time of times) expect(isoTime(time)).to.equal(new Date(time).toISOString());
      }),
    );
  });

  it('takes what no calendar knows for the nearest time it does', () => {
    expect(isoTime(Number.NaN)).to.equal('1970-01-01T00:00:00.000Z');
    expect(isoTime(1e300)).to.equal('+275760-09-13T00:00:00.000Z');
    expect(isoTime(-1e300)).to.equal('-271821-04-20T00:00:00.000Z');
  });
});
