import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isJsonObject, type JsonValue, toJsonValue } from '../../src/domain/json-value.js';

class Point {
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}
}

const cycle: { self?: unknown } = {};
cycle.self = cycle;
const longCycle = { list: [{ back: undefined as unknown }] };
longCycle.list[0] = { back: longCycle };

const shared = { n: 1 };

function jsonOf(value: unknown): JsonValue {
  const json = toJsonValue(value);
  return json.success ? json.value : expect.fail(json.error);
}

function problemOf(value: unknown) {
  const json = toJsonValue(value);
  return json.success ? expect.fail('it was converted') : json;
}

describe('toJsonValue', () => {
  const kinds: readonly (readonly [string, unknown, unknown])[] = [
    ['a text', 'x', 'x'],
    ['a number', 1.5, 1.5],
    ['a boolean', false, false],
    ['null', null, null],
    ['a list', [1, 'two', [null]], [1, 'two', [null]]],
    ['a dictionary', { a: { b: 1 } }, { a: { b: 1 } }],
    ['a tuple', [1, 'x'] as const, [1, 'x']],
    ['an object with toJSON', { toJSON: () => ({ a: 1 }) }, { a: 1 }],
    ['an object with toJson', { toJson: () => ({ a: 1 }) }, { a: 1 }],
    ['a member that is only called toJson', { toJson: 1 }, { toJson: 1 }],
    ['an object with toDict', { toDict: () => ({ a: 1 }) }, { a: 1 }],
    ['a model (class instance)', new Point(1, 2), { x: 1, y: 2 }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an undefined member, which is left out', { a: undefined, b: 1 }, { b: 1 }],
    ['an undefined item, which is null', [undefined, 1], [null, 1]],
    ['nothing, which is null', undefined, null],
    ['toDict within toJSON', { toJSON: () => [{ toDict: () => 'x' }] }, ['x']],
    ['the same object twice, which is no cycle', [shared, shared], [{ n: 1 }, { n: 1 }]],
  ];
  for (const [title, value, expected] of kinds) {
    it(`S1-17, S1-22: ${title} can be serialised`, () => {
      expect(jsonOf(value)).to.deep.equal(expected);
    });
  }

  const refused: readonly (readonly [string, unknown, string])[] = [
    ['a function', () => 1, '$ is a function'],
    ['a symbol', Symbol('x'), '$ is a symbol'],
    ['a BigInt', 1n, '$ is a bigint'],
    ['a nested function', { a: [{ run: () => 1 }] }, '$.a[0].run is a function'],
    ['a BigInt in a list', [1, 2n], '$[1] is a bigint'],
    ['an object within itself', cycle, '$.self refers back'],
    ['a longer cycle', longCycle, '$.list[0].back refers back'],
    ['an object whose toJSON is itself', selfDescribing(), '$ refers back'],
    ['a number that is none', { n: Number.NaN }, '$.n is NaN'],
    ['infinity', Number.POSITIVE_INFINITY, '$ is Infinity'],
    ['nesting without end', nested(300), 'nested deeper'],
  ];
  for (const [title, value, words] of refused) {
    it(`S1-17: ${title} is refused, and the place is named`, () => {
      const failure = problemOf(value);
      expect(failure.errorType).to.equal('NotSerialisable');
      expect(failure.error).to.contain(words);
    });
  }

  it('agrees with JSON.stringify on everything JSON can hold', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(JSON.stringify(jsonOf(value))).to.equal(JSON.stringify(value));
      }),
    );
  });

  it('keeps a member called __proto__ a plain member', () => {
    const value = jsonOf(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(JSON.stringify(value)).to.equal('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
  });
});

describe('isJsonObject', () => {
  it('accepts objects, and neither lists nor null', () => {
    expect([{}, new Point(1, 2)].every(isJsonObject)).to.equal(true);
    expect([null, [], 'x', 1, undefined, () => 1].some(isJsonObject)).to.equal(false);
  });
});

function selfDescribing(): unknown {
  const value = { toJSON: (): unknown => value };
  return value;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
