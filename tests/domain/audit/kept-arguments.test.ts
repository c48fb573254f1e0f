import { expect } from 'chai';
import { describe, it } from 'mocha';
import { keptArguments } from '../../../src/domain/audit/kept-arguments.js';

const clean = (text: string) => text.replaceAll(/sk-\w+/g, '[KEY]');

describe('what the audit keeps of arguments', () => {
  for (const [what, args, expected] of [
    ['a path, and no content', { path: 'a.txt', content: 'secret' }, { path: 'a.txt' }],
    [
      'both ends of a move',
      { source: 'a', destination: 'b', overwrite: true },
      { source: 'a', destination: 'b' },
    ],
    ['a list of paths', { paths: ['a', 1, 'b'] }, { paths: ['a', 'b'] }],
    [
      'a command line without secrets',
      { command: 'curl -H sk-123 x', stdin: 'text' },
      { command: 'curl -H [KEY] x' },
    ],
    [
      'a program and its words',
      { command: 'rm', args: ['-r', 'out'], env: { A: 'b' } },
      { command: 'rm', args: ['-r', 'out'] },
    ],
    ['nothing of others', { message: 'hello', edits: [{ old_text: 'a' }] }, undefined],
    ['nothing of a path that is no text', { path: { a: 'b' } }, undefined],
    ['nothing of what is no object', ['a'], undefined],
  ] as const)
    it(`is ${what}`, () => {
      expect(keptArguments(args, clean)).to.deep.equal(expected);
    });

  it('is bounded, and cut after it was cleaned', () => {
    const long = `${'x'.repeat(995)} sk-${'1'.repeat(500)}`;
    const kept = keptArguments({ command: long, paths: new Array(500).fill('p') }, clean);
    expect(kept?.command).to.equal(`${'x'.repeat(995)} [KEY…`);
    expect(kept?.paths).to.have.length(50);
  });
});
