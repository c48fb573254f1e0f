import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { inputExcess } from '../../../src/domain/tool/input-size.js';

describe('The bytes of arguments', () => {
  it('are too many exactly where their JSON has more', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
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
  });
});
