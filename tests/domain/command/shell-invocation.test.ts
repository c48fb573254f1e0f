import { expect } from 'chai';
import { describe, it } from 'mocha';
import { isShell, shellScript } from '../../../src/domain/command/shell-invocation.js';
import { words } from '../../support/words.js';

function read(line: string): string {
  const args = line === '' ? [] : line.split(' ');
  const script = shellScript('bash', words(...args));
  if (!script.success) return script.error.message;
  return script.value === undefined ? 'none' : `${script.value.text}@${script.value.index}`;
}

const CHANGES = 'changes how the shell reads what it is given';

const TABLE: readonly (readonly [args: string, read: string])[] = [
  ['', 'none'],
  ['script.sh', 'none'],
  ['script.sh -c ls', 'none'],
  ['-x script.sh', 'none'],
  ['-e', 'none'],
  ['--', 'none'],
  ['-', 'none'],
  ['--login script.sh', 'none'],
  ['-c ls', 'ls@1'],
  ['-lc ls', 'ls@1'],
  ['-l -p -c ls', 'ls@3'],
  ['--norc --noprofile -c ls', 'ls@3'],
  ['-c --norc ls', 'ls@2'],
  ['-c', 'bash -c without a script'],
  ['-c ls x', 'bash -c with arguments after its text'],
  ['-c glob:*', 'A pattern as the text of bash -c'],
  ['-c -- ls', `bash -- ${CHANGES}`],
  ['-ec ls', `bash -ec ${CHANGES}`],
  ['-e -c ls', `bash -e ${CHANGES}`],
  ['-c -n ls', `bash -n ${CHANGES}`],
  ['-o posix -c ls', `bash -o ${CHANGES}`],
  ['+x script.sh', `bash +x ${CHANGES}`],
  ['--rcfile x', `bash --rcfile ${CHANGES}`],
];

describe('shellScript', () => {
  for (const [args, wanted] of TABLE) {
    it(`bash ${args}: ${wanted}`, () => expect(read(args)).to.equal(wanted));
  }
});

describe('isShell', () => {
  it('knows shells by their names', () => {
    expect(['sh', 'bash', 'zsh', 'dash'].every(isShell)).to.equal(true);
    expect(['fish', 'python3', ''].some(isShell)).to.equal(false);
  });
});
