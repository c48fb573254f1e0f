import { expect } from 'chai';
import { describe, it } from 'mocha';
import { givesFlag, isFlag } from '../../../../src/domain/command/programs/flags.js';

/** The word, the flag, whether it may give it, whether it surely does. */
const TABLE: readonly (readonly [word: string, flag: string, may: boolean, surely: boolean])[] = [
  ['-n', '-n', true, true],
  ['-an', '-n', true, false],
  ['-a', '-n', false, false],
  ['--n', '-n', false, false],
  ['-', '-n', false, false],
  ['--', '--all', false, false],
  ['--all', '--all', true, true],
  ['--all=yes', '--all', true, true],
  ['--al', '--all', true, false],
  ['--ally', '--all', false, false],
  ['-all', '--all', true, false],
  ['-al', '--all', false, false],
  ['--=x', '--all', false, false],
  ['-destroy', '-destroy', true, true],
  ['--destroy', '-destroy', true, false],
  ['-destroy=x', '-destroy', true, false],
  ['all', '--all', false, false],
  ['push', 'push', true, true],
  ['pus', 'push', false, false],
];

describe('Flags of a call', () => {
  for (const [word, flag, may, surely] of TABLE) {
    it(`${word} ${surely ? 'is' : may ? 'may be' : 'is not'} ${flag}`, () => {
      expect(givesFlag(word, flag)).to.equal(may);
      expect(isFlag(word, flag)).to.equal(surely);
    });
  }
});
