import { expect } from 'chai';
import { describe, it } from 'mocha';
import { wordText } from '../../../src/domain/command/command-plan.js';
import { isInterpreter } from '../../../src/domain/command/programs/runners.js';
import { unwrap } from '../../../src/domain/command/wrapper.js';
import { isWrapper } from '../../../src/domain/command/wrapper-grammar.js';
import { call, words } from '../../support/words.js';

const INNER: readonly (readonly [line: string, inner: string])[] = [
  ['env rm x', 'rm x'],
  ['/usr/bin/env rm x', 'rm x'],
  ['env A=1 B=2 rm x', 'rm x'],
  ['env -i A=1 rm', 'rm'],
  ['env - rm', 'rm'],
  ['env -u HOME rm', 'rm'],
  ['env --unset=HOME rm', 'rm'],
  ['env -- rm x', 'rm x'],
  ['nice rm', 'rm'],
  ['nice -n 5 rm', 'rm'],
  ['nice -5 rm', 'rm'],
  ['nice --adjustment=5 rm', 'rm'],
  ['timeout 5 rm', 'rm'],
  ['timeout -k 5 -s KILL 5s rm -rf', 'rm -rf'],
  ['timeout --signal=KILL 5 rm', 'rm'],
  ['nohup rm', 'rm'],
  ['setsid -w rm', 'rm'],
  ['stdbuf -oL rm', 'rm'],
  ['stdbuf -o L rm', 'rm'],
  ['ionice -c 3 rm', 'rm'],
  ['taskset -c 0 rm', 'rm'],
  ['time -p rm', 'rm'],
  ['sudo rm', 'rm'],
  ['sudo -u root -E rm', 'rm'],
  ['sudo A=1 rm', 'rm'],
  ['doas -u root rm', 'rm'],
  ['xargs rm', 'rm'],
  ['xargs -0 -n1 rm -f', 'rm -f'],
  ['xargs -I {} rm {}', 'rm {}'],
  ['xargs -I{} rm {}', 'rm {}'],
  ['xargs -d , -P4 rm', 'rm'],
  ['flock -n f rm', 'rm'],
  ['busybox rm x', 'rm x'],
];

describe('unwrap', () => {
  for (const [line, inner] of INNER) {
    it(`finds what ${line} runs`, () => {
      const unwrapped = unwrap(call(line));
      expect(unwrapped.kind).to.equal('program');
      if (unwrapped.kind !== 'program') return;
      expect([unwrapped.call.program, ...unwrapped.call.args.map(wordText)].join(' ')).to.equal(inner);
    });
  }

  it('finds nothing where a wrapper runs nothing', () => {
    for (const line of [
      'env',
      'env A=1',
      'xargs -0',
      'nice',
      'sudo -l',
      'ionice -p 1',
      'ls rm',
      'bash script.sh',
      'bash',
      'sh -x a',
    ]) {
      expect(unwrap(call(line)).kind, line).to.equal('none');
    }
  });

  it('finds the text that a shell is given', () => {
    for (const shell of ['sh', '/bin/bash', 'dash', 'zsh', 'bash']) {
      const unwrapped = unwrap({ ...call(shell), args: words('-c', 'ls; id') });
      expect(unwrapped).to.deep.equal({ kind: 'script', text: 'ls; id', index: 1 });
    }
    expect(unwrap({ ...call('flock'), args: words('f', '-c', 'ls') })).to.deep.equal({
      kind: 'script',
      text: 'ls',
      index: 2,
    });
    expect(unwrap({ ...call('bash'), args: words('-l', '-c', 'ls') }).kind).to.equal('script');
  });

  it('refuses what hides the program', () => {
    for (const line of [
      'env -S ls',
      'env --split-string=ls',
      'env -C / ls',
      'env --weird ls',
      'timeout --weird 5 ls',
      'xargs -I{} {}',
      'xargs -I X X',
      'xargs glob:*',
      'env glob:* ls',
      'timeout glob:* ls',
      'nice glob:*',
      'sudo -s',
      'sudo -i',
      'watch ls',
      'chroot / ls',
      'su -c ls',
      'bash -o posix -c ls',
      'sh -c',
      'bash -ec ls',
      'sh -c ls x',
      'bash +x -c ls',
      'env A=1 -i ls',
      'time -o f ls',
    ]) {
      expect(unwrap(call(line)).kind, line).to.equal('refused');
    }
  });

  it('remembers that xargs adds arguments, through further wrappers too', () => {
    const first = unwrap(call('xargs env sort'));
    const second = first.kind === 'program' ? unwrap(first.call) : first;
    expect(second.kind === 'program' && second.call.unseenArguments).to.equal(true);
    expect(unwrap({ ...call('sh'), args: words('-c', 'ls'), unseenArguments: true }).kind).to.equal(
      'refused',
    );
  });
});

describe('What is known about programs', () => {
  it('tells interpreters, in every version', () => {
    for (const name of [
      'python',
      'python3',
      'python3.12',
      'node',
      'perl',
      'ruby3.1',
      'php8',
      'lua5.4',
      'bash',
      'sh',
      'zsh',
      'awk',
      'gawk',
      'deno',
      'bun',
      'npx',
      'osascript',
      'tclsh8.6',
      'vim',
      'ssh',
    ]) {
      expect(isInterpreter(name), name).to.equal(true);
    }
    for (const name of ['ls', 'cat', 'git', 'npm', 'make', 'grep', 'pythonish', 'nodeish', 'constructor']) {
      expect(isInterpreter(name), name).to.equal(false);
    }
  });

  it('tells wrappers', () => {
    expect(['env', 'xargs', 'sudo', 'timeout'].every(isWrapper)).to.equal(true);
    expect(['ls', 'constructor', 'toString'].some(isWrapper)).to.equal(false);
  });
});
