import { expect } from 'chai';
import { describe, it } from 'mocha';
import { wordText } from '../../../../src/domain/command/command-plan.js';
import {
  type OptionGrammar,
  type OptionLine,
  readOptions,
} from '../../../../src/domain/command/programs/option-grammar.js';
import { words } from '../../../support/words.js';

const GRAMMAR: OptionGrammar = {
  flags: 'ab',
  values: 'v',
  optional: 'o',
  long: 'all width= color=? wide',
  refused: { '-x': 'runs a program', '--execute': 'runs a program' },
};

/** `-a -v=1 | file@2`: options with their values, then operands with their positions. */
function shown({ options, operands }: OptionLine): string {
  const given = options.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`));
  const rest = operands.map(({ word, index }) => `${wordText(word)}@${index}`);
  return [given.join(' '), rest.join(' ')].join(' | ');
}

function read(line: string, more: Partial<OptionGrammar> = {}): string {
  const result = readOptions('tool', { ...GRAMMAR, ...more }, words(...line.split(' ')));
  return result.success ? shown(result.value) : `${result.error.message} (${result.error.hint})`;
}

const UNDERSTOOD: readonly (readonly [line: string, shown: string])[] = [
  ['-a', '-a | '],
  ['-ab file', '-a -b | file@1'],
  ['file -a', '-a | file@0'],
  ['-v 1 file', '-v=1 | file@2'],
  ['-v1 file', '-v=1 | file@1'],
  ['-av1', '-a -v=1 | '],
  ['-v -a', '-v=-a | '],
  ['-o file', '-o | file@1'],
  ['-ob', '-o=b | '],
  ['--all', '--all | '],
  ['--width 3 file', '--width=3 | file@2'],
  ['--width=3', '--width=3 | '],
  ['--width=', '--width= | '],
  ['--color file', '--color | file@1'],
  ['--color=always', '--color=always | '],
  ['- -a', '-a | -@0'],
  ['-a -- -b --', '-a | -b@2 --@3'],
  ['--width=a=b', '--width=a=b | '],
];

const REFUSED: readonly (readonly [line: string, told: string])[] = [
  ['-z', 'tool -z is not on the list of options known to be harmless'],
  ['-az', 'tool -z is not on the list'],
  ['-x', 'tool -x runs a program'],
  ['-ax', 'tool -x runs a program'],
  ['--execute', 'tool --execute runs a program'],
  ['--execute=1', 'tool --execute runs a program'],
  ['--exec', 'tool --exec is short for --execute, which runs a program'],
  ['--nothing', 'tool --nothing is not on the list'],
  ['--all=1', 'tool --all takes no value'],
  ['--al', 'is not the whole name of an option (write it in full: --all)'],
  ['--wid', 'is not the whole name of an option (write it in full: --width or --wide)'],
  ['-v', 'tool -v needs a value (write a value after -v)'],
  ['--width', 'tool --width needs a value'],
  ['-v glob:*', 'The value of tool -v is a pattern that a shell expands (put it in quotes)'],
  ['-5', 'tool -5 is not on the list'],
];

describe('readOptions', () => {
  for (const [line, wanted] of UNDERSTOOD) {
    it(`reads ${line}`, () => expect(read(line)).to.equal(wanted));
  }

  for (const [line, told] of REFUSED) {
    it(`refuses ${line} and says why`, () => expect(read(line)).to.include(told));
  }

  it('takes a number for an option where the program does', () => {
    expect(read('-5 file', { numeric: true })).to.equal('-5 | file@1');
    expect(read('-5a', { numeric: true })).to.include('tool -5 is not on the list');
  });

  it('ends at the first operand where the rest is the line of another program', () => {
    expect(read('-a prog -b -z --', { leading: true })).to.equal('-a | prog@1 -b@2 -z@3 --@4');
    expect(read('-- -a', { leading: true })).to.equal(' | -a@1');
  });

  it('knows no long name where the grammar has none', () => {
    const result = readOptions('tool', {}, words('--all'));
    expect(result.success ? '' : result.error.message).to.include('--all is not on the list');
    expect(readOptions('tool', {}, words('--=')).success).to.equal(false);
  });
});
