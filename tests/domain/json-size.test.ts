import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { jsonSize } from '../../src/domain/json-size.js';
import type { JsonValue } from '../../src/domain/json-value.js';

const asJson: fc.Arbitrary<JsonValue> = fc
  .jsonValue({ maxDepth: 4, stringUnit: 'binary' })
  .map((value) => JSON.parse(JSON.stringify(value)));

describe('jsonSize', () => {
  it('is the length of the JSON in UTF-8, whatever the value', () => {
    fc.assert(
      fc.property(asJson, (value) => {
        expect(jsonSize(value)).to.equal(Buffer.byteLength(JSON.stringify(value)));
      }),
    );
  });

  for (const text of ['', 'plain', '"\\', '\u001b[31m\n', 'é', '漢字', '😀', '\ud800', '\u2028', '\x7f']) {
    it(`counts ${JSON.stringify(text)} as it is written`, () => {
      expect(jsonSize([text, { [text]: text }])).to.equal(
        Buffer.byteLength(JSON.stringify([text, { [text]: text }])),
      );
    });
  }
});
