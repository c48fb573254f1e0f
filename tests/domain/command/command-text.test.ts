import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { CommandNode } from '../../../src/domain/command/command-plan.js';
import { emitCommand, quote } from '../../../src/domain/command/command-text.js';
import { enterDirectory, explicitPath, pathFrom } from '../../../src/domain/command/working-directory.js';
import { describePlan } from '../../support/describe-plan.js';
import { words } from '../../support/words.js';

function command(...texts: readonly string[]): CommandNode {
  return { kind: 'command', words: words(...texts), redirects: [] };
}

function emit(tree: CommandNode, names: readonly string[] = []): string {
  return emitCommand(
    tree,
    (program) => `/bin/${program}`,
    () => names,
  );
}

describe('emitCommand', () => {
  it('quotes every word and makes every program absolute', () => {
    expect(emit(command('test', '-v', 'a[$(touch x)]', "it's", ''))).to.equal(
      `'/bin/test' '-v' 'a[$(touch x)]' 'it'\\''s' ''`,
    );
  });

  it('puts ./ before names that would be options', () => {
    expect(emit(command('ls', 'glob:*'), ['-rf', 'a'])).to.equal("'/bin/ls' './-rf' 'a'");
  });

  it('passes a pattern that matches nothing as it stands, without its escapes', () => {
    expect(emit(command('ls', 'glob:a\\**'))).to.equal("'/bin/ls' 'a**'");
  });

  it('binds each program and redirection to its folder', () => {
    const tree: CommandNode = {
      kind: 'list',
      first: { kind: 'cd', directory: '-x' },
      rest: [
        {
          operator: '&&',
          node: {
            kind: 'command',
            words: words('ls'),
            redirects: [{ kind: 'file', fd: 1, mode: 'write', target: 'out' }],
          },
        },
      ],
    };
    expect(emit(tree)).to.equal("( cd -- './-x' ) && ( cd -- './-x' && '/bin/ls' ) 1> '-x/out'");
  });

  it('re-emits the text of a wrapped shell from its tree, in the folder it starts in', () => {
    const script: CommandNode = {
      kind: 'command',
      words: [
        ...words('timeout', '9'),
        { kind: 'program', text: 'bash' },
        ...words('-c'),
        { kind: 'script', text: 'ls *', tree: command('ls', 'glob:*') },
      ],
      redirects: [],
    };
    const tree: CommandNode = {
      kind: 'list',
      first: { kind: 'cd', directory: 'd' },
      rest: [{ operator: ';', node: script }],
    };
    const asked: string[] = [];
    const text = emitCommand(
      tree,
      (program) => `/bin/${program}`,
      (_, directory) => {
        asked.push(directory);
        return ['a'];
      },
    );
    expect(asked).to.deep.equal(['d']);
    expect(text).to.include(`'/bin/timeout' '9' '/bin/bash' '-c' ${quote("'/bin/ls' 'a'")}`);
  });

  it('gives input as quoted text, and nothing at all as an empty file', () => {
    const input = (text: string): CommandNode => ({
      kind: 'command',
      words: words('cat'),
      redirects: [{ kind: 'text', fd: 0, text }],
    });
    expect(emit(input('a $x\nb\n'))).to.equal("'/bin/cat' 0<<< 'a $x\nb'");
    expect(emit(input('\n'))).to.equal("'/bin/cat' 0<<< ''");
    expect(emit(input(''))).to.equal("'/bin/cat' 0< '/dev/null'");
  });

  it('refuses a program that does not resolve to an absolute path, as a bug', () => {
    expect(() =>
      emitCommand(
        command('ls'),
        (program) => program,
        () => [],
      ),
    ).to.throw('absolute');
  });
});

describe('Working folders', () => {
  it('are entered as cd enters them', () => {
    const table: readonly (readonly [string, string, string])[] = [
      ['.', 'a', 'a'],
      ['.', '.', '.'],
      ['a', '..', '.'],
      ['a/b', '../c', 'a/c'],
      ['.', '..', '..'],
      ['..', '..', '../..'],
      ['..', 'a', '../a'],
      ['a', '/x', '/x'],
      ['/x', '..', '/'],
      ['/', '../..', '/'],
      ['/x', 'a//b/', '/x/a/b'],
      ['a', './/b/.', 'a/b'],
    ];
    for (const [from, to, result] of table)
      expect(enterDirectory(from, to), `${from} ${to}`).to.equal(result);
  });

  it('are spelled so that nothing takes them for an option', () => {
    expect(['a', '-', '.', '..', '../a', './a', '/a', '..a', '.a'].map(explicitPath)).to.deep.equal([
      './a',
      './-',
      '.',
      '..',
      '../a',
      './a',
      '/a',
      './..a',
      './.a',
    ]);
    expect(pathFrom('.', 'a')).to.equal('a');
    expect(pathFrom('d', 'a')).to.equal('d/a');
    expect(pathFrom('/', 'a')).to.equal('/a');
    expect(pathFrom('d', '/a')).to.equal('/a');
  });
});

describe('describePlan', () => {
  it('tells each effect on a line of its own, whatever the names hold', () => {
    const lines = describePlan({
      tree: command('ls'),
      programs: [
        { program: 'ls', args: words('-la', 'a b'), directory: 'src' },
        { program: 'wc', args: [], directory: '.', via: 'xargs', unseenArguments: true },
        { program: 'echo', args: words('x\n\u202ey\u001b[2J'), directory: '.' },
      ],
      files: [{ mode: 'append', path: 'out', directory: '.' }],
    });
    expect(lines).to.deep.equal([
      'runs ls -la "a b" in src',
      'runs wc … (and arguments from its input) through xargs',
      'runs echo "x\\n\\u{202e}y\\u001b[2J"',
      'appends to out',
    ]);
  });
});
