import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { topLevelId } from '../../../../src/presentation/mcp/surface/top-level-id.js';

describe('The id of a message that is not parsed', () => {
  const cases: readonly (readonly [string, string | number | null])[] = [
    ['{"id":5,"method":"x"}', 5],
    ['{"method":"x","params":{"id":7,"a":[{"id":8}]},"id" : "a\\"b" }', 'a"b'],
    ['{"a":"id","b":"\\"id\\":3","id":-1}', -1],
    ['{"params":{"id":7}}', null],
    ['{"id":null}', null],
    ['{"id":1.5}', null],
    ['[{"id":5}]', null],
    ['{"id":{"id":5}}', null],
    ['"id"', null],
    ['{"id"', null],
    ['', null],
  ];
  for (const [text, id] of cases) {
    it(`is ${JSON.stringify(id)} in ${text}`, () => expect(topLevelId(Buffer.from(text))).to.equal(id));
  }

  it('is the one that parsing would find', () => {
    const id = fc.oneof(fc.integer(), fc.string({ maxLength: 50 }));
    fc.assert(
      fc.property(id, fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (wanted, rest, first) => {
        const message = first ? { id: wanted, ...rest } : { ...rest, id: wanted };
        const text = JSON.stringify({ ...message, id: wanted });
        expect(topLevelId(Buffer.from(text))).to.equal(wanted);
      }),
    );
  });
});
