import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { MAIN } from '../support/spawned-server.js';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/tutorial/first-agent.md'), 'utf8');

interface Step {
  readonly line: string;
  /** Each of these is in a line of what is printed; … stands for anything. */
  readonly shown: readonly string[];
}

function stepsOf(page: string): readonly Step[] {
  const steps: { line: string; shown: string[] }[] = [];
  for (const [, block = ''] of page.matchAll(/```console\n([\s\S]*?)```/g))
    for (const line of block.trimEnd().split('\n')) {
      if (line.startsWith('$ ')) steps.push({ line: line.slice(2), shown: [] });
      else steps.at(-1)?.shown.push(line);
    }
  return steps;
}

function isPrinted(shown: string, printed: string): boolean {
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'm').test(printed);
}

describe('the tutorial', () => {
  it('does at every step what it shows', () => {
    const home = mkdtempSync(join(tmpdir(), 'castellan-tutorial-'));
    const command = join(home, 'castellan');
    writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
    chmodSync(command, 0o755);
    const { PATH = '' } = process.env;
    const env = { PATH: `${home}:${PATH}`, HOME: home, LC_ALL: 'C.UTF-8' };
    let folder = home;
    const steps = stepsOf(PAGE);
    expect(steps.length).to.be.greaterThan(12);
    for (const { line, shown } of steps) {
      const { stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: folder, env, encoding: 'utf8' });
      for (const one of shown)
        expect(isPrinted(one, stdout + stderr), `${line}: ${one}\n${stdout}${stderr}`).to.equal(true);
      if (line.startsWith('mkdir demo')) folder = join(home, 'demo');
    }
    execFileSync('git', ['status', '--short'], { cwd: folder, env });
    rmSync(home, { recursive: true, force: true });
  });

  it('would notice a line that is not printed', () => {
    expect(isPrinted('a … c', 'x\na b c')).to.equal(true);
    expect(isPrinted('a … d', 'x\na b c')).to.equal(false);
  });
});
