import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { inputExcess, inputWork } from '../../../src/domain/tool/input-size.js';

describe('The bytes of arguments', () => {
  it('are too many exactly where their JSON has more', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })),
        fc.integer({ min: 0, max: 2000 }),
        (args, most) => {
          const bytes = Buffer.byteLength(JSON.stringify(args));
          expect(inputExcess(args, most) !== undefined, JSON.stringify(args)).to.equal(bytes > most);
        },
      ),
    );
  });

  it('are at least the characters that they have', () => {
    expect(inputExcess({ text: 'x'.repeat(101) }, 100)).to.be.above(100);
    expect(inputExcess({ text: 'x'.repeat(50) }, 100)).to.equal(undefined);
    expect(inputExcess({ text: 'é'.repeat(50) }, 100)).to.equal(111);
    for (const sign of ['"', '\\', '\n', '\u0001', '\u007f', 'é', '中', '😀', '\ud83d', '\ude00\ud83d']) {
      const args = { text: sign.repeat(40), [sign]: sign };
      const bytes = Buffer.byteLength(JSON.stringify(args));
      expect(inputExcess(args, bytes - 1), JSON.stringify(sign)).to.equal(bytes);
      expect(inputExcess(args, bytes), JSON.stringify(sign)).to.equal(undefined);
    }
  });

  it('are worth work for each value, counted no further than asked', () => {
    expect(inputWork({ text: 'x'.repeat(1_000) }, 5_000)).to.be.within(1_000, 1_200);
    expect(inputWork(Array(100).fill(1), 50_000)).to.be.within(3_200, 4_000);
    expect(inputWork({ text: 'x'.repeat(10_000) }, 5_000)).to.equal(5_000);
  });
});
