import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  MAX_DEPTH,
  MAX_VALUES,
  MessageBounds,
  valueExcess,
} from '../../../../src/presentation/mcp/surface/message-bounds.js';

function excess(text: string, ...cuts: readonly number[]): string | undefined {
  const bytes = Buffer.from(text);
  const bounds = new MessageBounds();
  let at = 0;
  let found: string | undefined;
  for (const cut of [...cuts.map((each) => each % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    found = bounds.push(bytes.subarray(at, Math.max(at, cut))) ?? found;
    at = Math.max(at, cut);
  }
  return found;
}

describe('What one message may hold', () => {
  const entries = (count: number) => `[${Array.from({ length: count }, () => '"a"').join(',')}]`;
  const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')}}`;
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it('is counted in entries, members and levels', () => {
    for (const make of [entries, members]) {
      expect(excess(make(MAX_VALUES))).to.equal(undefined);
      expect(excess(make(MAX_VALUES + 1))).to.contain(`at most ${MAX_VALUES} members and entries`);
    }
    expect(excess(nested(MAX_DEPTH))).to.equal(undefined);
    expect(excess(nested(MAX_DEPTH + 1))).to.contain(`${MAX_DEPTH} levels`);
    expect(excess('[{},'.repeat(MAX_VALUES))).not.to.equal(undefined);
  });

  it('does not count what stands in a text, however it is escaped and wherever it is cut', () => {
    for (const inside of [
      ',[{'.repeat(50_000),
      '\\",['.repeat(50_000),
      '\\\\'.repeat(50_001),
      '\\u002c,'.repeat(30_000),
    ]) {
      const text = `{"a":"${inside}","b":1}`;
      expect(excess(text), inside.slice(0, 8)).to.equal(undefined);
      for (const cut of [5, 6, 7, 8, 9]) expect(excess(text, cut, cut + 1, cut + 2)).to.equal(undefined);
    }
    expect(excess(`["\\\\",${nested(MAX_DEPTH + 1)}]`), 'the text is over').not.to.equal(undefined);
  });

  it('is the same for every value, as text in any pieces and as somebody parsed it', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 8 }),
        fc.array(fc.nat(), { maxLength: 5 }),
        fc.nat(4),
        (value, cuts, deep) => {
          let whole: unknown = value;
          for (let level = 0; level < deep * 20; level += 1) whole = [whole];
          const expected = valueExcess(whole);
          expect(excess(JSON.stringify(whole), ...cuts)).to.equal(expected);
        },
      ),
    );
  });

  it('is told of a value that somebody parsed, before all of it was looked at', () => {
    expect(valueExcess(JSON.parse(entries(MAX_VALUES)))).to.equal(undefined);
    expect(valueExcess(JSON.parse(entries(MAX_VALUES + 1)))).not.to.equal(undefined);
    expect(valueExcess(JSON.parse(members(MAX_VALUES + 1)))).not.to.equal(undefined);
    expect(valueExcess(JSON.parse(nested(MAX_DEPTH + 1)))).to.contain('levels');
  });
});
