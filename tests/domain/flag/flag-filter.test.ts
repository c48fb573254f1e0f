import { expect } from 'chai';
import fc from 'fast-check';
import { matchesFlagFilter } from '../../../src/domain/flag/flag-filter.js';

describe('A filter of flags', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['beta', 'beta', true],
    ['beta', 'beta-x', false],
    ['beta-*', 'beta-x', true],
    ['*', '', true],
    ['*-mode', 'dark-mode', true],
    ['*a*b*', 'xxaxxbxx', true],
    ['*a*b', 'ab-a', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a.c', 'abc', false],
    ['', 'a', false],
  ];
  for (const [filter, name, matches] of cases) {
    it(`${JSON.stringify(filter)} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(name)}`, () => {
      expect(matchesFlagFilter(filter, name)).to.equal(matches);
    });
  }

  it('agrees with the regular expression of the same meaning', () => {
    const letters = (alphabet: string) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 8 });
    fc.assert(
      fc.property(letters('ab*?'), letters('ab'), (filter, name) => {
        const expression = new RegExp(`^${filter.replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(matchesFlagFilter(filter, name)).to.equal(expression.test(name));
      }),
    );
  });

  it('comes to an end with many stars, where trying every split would not', () => {
    expect(matchesFlagFilter(`${'*a'.repeat(90)}b`, 'a'.repeat(100))).to.equal(false);
  });
});
