import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { delimiter } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CliWorkspace } from '../support/cli-workspace.js';
import { MAIN } from '../support/spawned-server.js';

/** How each shell is made to complete the words after `castellan`, and to print what it offers, a line each. */
const SHELLS: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => [
    '-c',
    `source ../bash; COMP_WORDS=(castellan "$@"); COMP_CWORD=$#; _castellan
     [ \${#COMPREPLY[@]} -gt 0 ] && printf '%s\\n' "\${COMPREPLY[@]}" || compgen -f -- "\${@: -1}"`,
    'bash',
    ...words,
  ],
  // What it may call only while keys are pressed is replaced by what prints.
  zsh: (words) => [
    '-fc',
    `compdef() { }; compadd() { print -rl -- $found }; _files() { print -rl -- \${words[CURRENT]}*(N) }
     source ../zsh; words=(castellan "$@"); CURRENT=$#words; _castellan`,
    'zsh',
    ...words,
  ],
  fish: (words) => ['--no-config', '-c', 'source ../fish; complete -C "castellan $argv"', ...words],
};

const OFFERED: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['pol'], ['policy']],
  [
    ['policy', ''],
    ['check', 'explain'],
  ],
  [
    ['install', 'claude'],
    ['claude', 'claude-desktop'],
  ],
  [
    ['call', 'read_f'],
    ['read_file', 'read_files'],
  ],
  [
    ['init', '--profile', ''],
    ['readonly', 'workspace'],
  ],
  [['doctor', '--js'], ['--json']],
  // A file, which the shell knows better.
  [['policy', 'check', 'per'], ['permissions.yaml']],
];

describe('completion in real shells', () => {
  let project: CliWorkspace;

  before(() => {
    project = new CliWorkspace();
    project.write('permissions.yaml', 'extends: [builtin:readonly]\n');
    const command = project.write(
      '../bin/castellan',
      `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`,
    );
    chmodSync(command, 0o755);
    for (const shell of Object.keys(SHELLS))
      project.write(`../${shell}`, execFileSync(command, ['completion', shell], { env: environment() }));
  });

  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    ...project.env,
    PATH: [project.path('../bin'), process.env.PATH].join(delimiter),
  });

  after(() => project.remove());

  for (const [shell, line] of Object.entries(SHELLS)) {
    it(`${shell} offers commands, clients, tools, values, options and files`, () => {
      const env = environment();
      const offered = OFFERED.map(([words]) => {
        const printed = execFileSync(shell, line(words), { cwd: project.folder, env, encoding: 'utf8' });
        return printed.trim().split('\n');
      });
      expect(offered).to.deep.equal(OFFERED.map(([, expected]) => expected));
    });
  }
});
