import { expect } from 'chai';
import type { Flags } from '../../../src/domain/flag/flag.js';
import { isFlagOn, meetsFlagCondition } from '../../../src/domain/flag/flag-condition.js';

describe('A condition on a flag', () => {
  for (const value of [true, 'on', 'blue', ['a'], { a: 'b' }]) {
    it(`takes ${JSON.stringify(value)} for on`, () => {
      expect(isFlagOn(value)).to.equal(true);
    });
  }

  for (const value of [undefined, false, '', 'false', 'OFF', 'no', '0', [], {}]) {
    it(`takes ${JSON.stringify(value)} for off`, () => {
      expect(isFlagOn(value)).to.equal(false);
    });
  }

  const flags: Flags = new Map<string, string | boolean | string[] | Record<string, string>>([
    ['colour', 'blue'],
    ['off', false],
    ['teams', ['core', 'web']],
    ['owners', { core: 'ada' }],
  ]);

  it('is met by the value it names, a member of a list or a key of a map', () => {
    expect(meetsFlagCondition({ flag: 'colour', is: 'blue' }, flags)).to.equal(true);
    expect(meetsFlagCondition({ flag: 'teams', is: 'web' }, flags)).to.equal(true);
    expect(meetsFlagCondition({ flag: 'owners', is: 'core' }, flags)).to.equal(true);
    expect(meetsFlagCondition({ flag: 'off', is: false }, flags)).to.equal(true);
    expect(meetsFlagCondition({ flag: 'absent', is: false }, flags)).to.equal(true);
  });

  it('is not met by anything else', () => {
    expect(meetsFlagCondition({ flag: 'colour', is: 'red' }, flags)).to.equal(false);
    expect(meetsFlagCondition({ flag: 'teams', is: 'ops' }, flags)).to.equal(false);
    expect(meetsFlagCondition({ flag: 'absent', is: 'blue' }, flags)).to.equal(false);
    expect(meetsFlagCondition({ flag: 'absent' }, flags)).to.equal(false);
  });
});
