import { spawnSync } from 'node:child_process';
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

/** Types each line as a reader does, in a home of its own. */
function followed(steps: readonly Step[]): { readonly printed: string; readonly steps: number } {
  const home = mkdtempSync(join(tmpdir(), 'castellan-tutorial-'));
  const command = join(home, 'castellan');
  writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
  chmodSync(command, 0o755);
  const { PATH = '' } = process.env;
  const env = { PATH: `${home}:${PATH}`, HOME: home, LC_ALL: 'C.UTF-8' };
  let folder = home;
  let printed = '';
  for (const { line, shown } of steps) {
    const { stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: folder, env, encoding: 'utf8' });
    for (const one of shown)
      expect(isPrinted(one, stdout + stderr), `${line}: ${one}\n${stdout}${stderr}`).to.equal(true);
    printed += stdout + stderr;
    if (line.startsWith('mkdir demo')) folder = join(home, 'demo');
  }
  rmSync(home, { recursive: true, force: true });
  return { printed, steps: steps.length };
}

describe('the tutorial', () => {
  it('does at every step what it shows', () => {
    expect(followed(stepsOf(PAGE)).steps).to.be.greaterThan(12);
  });

  it('and the README show the refusal that is printed', () => {
    const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
    const { printed, steps } = followed(
      stepsOf(`\`\`\`console\n$ mkdir demo\n$ castellan init\n\`\`\`\n${readme}`),
    );
    expect(steps).to.equal(3);
    expect(printed).to.include('PROTECTED');
  });

  it('would notice a line that is not printed', () => {
    expect(isPrinted('a … c', 'x\na b c')).to.equal(true);
    expect(isPrinted('a … d', 'x\na b c')).to.equal(false);
  });
});
