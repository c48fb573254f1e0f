import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  type ArgumentConstraint,
  brokenConstraint,
} from '../../../../src/domain/permission/policy/argument-constraint.js';

const VOWELS = { source: '[aeiou]+', test: (text: string) => /^[aeiou]+$/.test(text) };

/** A constraint, values that keep it, and values that break it with what is said. */
const TABLE: readonly (readonly [ArgumentConstraint, readonly unknown[], readonly unknown[], string])[] = [
  [{ type: 'string' }, ['', 'a', undefined], [1, null, []], 'must be a string'],
  [{ type: 'number' }, [1, 0.5], ['1', null], 'must be a number'],
  [{ type: 'integer' }, [1, -3], [0.5, '1'], 'must be a integer'],
  [{ type: 'boolean' }, [true, false], [0, 'true'], 'must be a boolean'],
  [{ type: 'array' }, [[], [1]], [{}, 'x'], 'must be a array'],
  [{ type: 'object' }, [{}], [[], null, 'x'], 'must be a object'],
  [{ const: 'yes' }, ['yes', undefined], ['no', 1], 'must be "yes"'],
  [{ enum: ['a', 2] }, ['a', 2], ['b', '2'], 'must be one of "a", 2'],
  [{ minimum: 2 }, [2, 3, 'a'], [1.9, Number.NaN], 'must be at least 2'],
  [{ maximum: 2 }, [2, 1, 'abc'], [2.1], 'must be at most 2'],
  [{ minLength: 2 }, ['ab', 'abc', 1], ['a', ''], 'must have at least 2 characters'],
  [{ maxLength: 2 }, ['ab', '', 100], ['abc'], 'must have at most 2 characters'],
  [{ maxItems: 1 }, [[], ['a'], 'abc'], [['a', 'b']], 'must have at most 1 members'],
  [{ pattern: VOWELS }, ['aei', 5], ['x', ''], 'must have the form that the policy asks for'],
];

describe('brokenConstraint', () => {
  for (const [constraint, kept, broken, words] of TABLE) {
    it(`${JSON.stringify(constraint)}: ${words}`, () => {
      for (const value of kept)
        expect(brokenConstraint(constraint, value), String(value)).to.equal(undefined);
      for (const value of broken) expect(brokenConstraint(constraint, value), String(value)).to.equal(words);
    });
  }
});
