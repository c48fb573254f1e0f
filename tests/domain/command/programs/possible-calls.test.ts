import { expect } from 'chai';
import { describe, it } from 'mocha';
import { type ProgramCall, wordText } from '../../../../src/domain/command/command-plan.js';
import { possibleCalls } from '../../../../src/domain/command/programs/possible-calls.js';
import { call, words } from '../../../support/words.js';

function found(given: ProgramCall): readonly string[] {
  return possibleCalls(given, given.program).map(({ program, args }) =>
    [program, ...args.map(wordText)].join(' '),
  );
}

/** A line, whose blanks inside a word are `_`, and what it may start. */
const TABLE: readonly (readonly [line: string, started: readonly string[]])[] = [
  ['ls -l', []],
  ['cat rm', []],
  ['tar -xf a --to-command=rm_x', ['rm x', 'x']],
  ['tar --checkpoint-action=exec=rm', ['rm']],
  ['sort --compress-program=gzip a', ['gzip']],
  ['sort compress-program=gzip', []],
  ['find . -exec rm -f {} ;', ['rm -f {}']],
  ['find . -exec rm {} + -name x', ['rm {}']],
  ['find . -ok rm', ['rm']],
  ['find . -name rm', []],
  ['find . -exec env rm x ;', ['env rm x', 'rm x', 'x']],
  ['find . -exec /bin/sh -c rm ;', ['/bin/sh -c rm', 'rm']],
  ['find . -exec command rm ;', ['command rm', 'rm']],
  ['fd -x rm a', ['rm a']],
  ['fdfind a --exec rm', ['rm']],
  ['fd -HX rm', ['rm']],
  ['fd rm', []],
  ['strace -f rm a', ['rm a', 'a']],
  ['npm exec rm a', ['rm a', 'a']],
  ['npm install rm', []],
  ['git -c alias.p=push_-f p', ['git push -f']],
  ['git -calias.p=!rm_x p', ['rm x', 'x']],
  ['git log --exec', ['log --exec']],
  ['git rebase -x make', ['rebase -x make', 'make']],
  ['git commit -m rm', []],
  ['strace rm;x', ['rm x', 'x']],
  ['strace "', []],
];

describe('possibleCalls', () => {
  for (const [line, started] of TABLE) {
    it(`${line} may start ${started.join(', ') || 'nothing'}`, () => {
      const [program = '', ...args] = line.split(' ');
      const texts = args.map((text) => text.replaceAll('_', ' '));
      expect(found({ program, args: words(...texts), directory: '.' })).to.deep.equal(started);
    });
  }

  it('says through which program, in which folder, and that it is a possibility only', () => {
    const [started] = possibleCalls(call('strace rm', { directory: 'sub' }), 'strace');
    expect(started).to.deep.equal({
      program: 'rm',
      args: [],
      via: 'strace',
      directory: 'sub',
      possible: true,
    });
  });

  it('remembers that a wrapper adds arguments', () => {
    const [started] = possibleCalls(call('strace rm', { unseenArguments: true }), 'strace');
    expect(started?.unseenArguments).to.equal(true);
  });

  it('looks at so many words and no more', () => {
    const many = Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ');
    expect(found(call(`strace ${many}`))).to.have.length(64);
  });
});
