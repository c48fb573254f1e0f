import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { SandboxJob } from '../../../../src/application/ports/command/command-sandbox.js';
import type { PermissionPolicy } from '../../../../src/domain/permission/policy/permission-policy.js';
import { explainFailure } from '../../../../src/infrastructure/command/feedback/sandbox-hint.js';
import { paste, textToPaste } from '../../../support/paste-hint.js';
import { decide, load } from '../../../support/policy-bench.js';
import { GENEROUS } from '../../../support/sandbox-jobs.js';

const JOB: SandboxJob = {
  program: { kind: 'argv', file: '/usr/bin/curl', args: ['example.com'] },
  cwd: '/work',
  env: {},
  view: { read: [], write: ['/work'], hide: [], readOnlyInside: [] },
  home: '/home/private',
  network: 'none',
  systemCalls: 'filtered',
  limits: GENEROUS,
};

const NAMED =
  'tools: { execute_command: { allowed_commands: [curl, head, { command: [node, [fetch.js, other.js]], interpreter: true }] } }\n';
const ANY = 'extends: [builtin:workspace]\n';
const PERSONAL = readFileSync('docs/policies/personal.yaml', 'utf8');

function networkOf(policy: PermissionPolicy, command: string): string {
  const decision = decide(policy, 'execute_command', { command });
  return decision.effect === 'deny' ? decision.message : decision.obligations.network;
}

/** As the sandbox would tell it after a command that found no network. */
function hintFor(policy: PermissionPolicy, command: string): string {
  const decision = decide(policy, 'execute_command', { command });
  if (decision.effect === 'deny') throw new Error(decision.message);
  const [plan] = decision.plans ?? [];
  if (plan === undefined) throw new Error('no plan');
  const job = { ...JOB, networkAdvice: policy.networkAdvice('execute_command', plan) };
  return (
    explainFailure({ exitCode: 6, stdout: '', stderr: 'Could not resolve host: example.com' }, job) ?? ''
  );
}

describe('the lines that a command without the network recommends', () => {
  const rows: readonly (readonly [yaml: string, command: string, without: string])[] = [
    [NAMED, 'curl example.com', 'curl example.org'],
    [NAMED, 'curl x | head -n 1', 'curl y | head -n 1'],
    [NAMED, 'node fetch.js', 'node other.js'],
    [ANY, 'curl example.com', 'npm test'],
    [ANY, 'npm install left-pad', 'npm test'],
    [ANY, 'curl -s x | head -n 1', 'ls'],
    [ANY, 'node -e "fetch(1)"', 'node -e "fetch(2)"'],
    [ANY, 'for i in 1 2; do curl "x/$i"; done', 'curl y z'],
    [PERSONAL, 'git push origin main', 'git pull'],
  ];
  for (const [yaml, command, without] of rows) {
    it(`open it for ${command} and for nothing else`, async () => {
      const before = (await load(yaml)).snapshot.policy;
      expect(networkOf(before, command)).to.equal('none');
      const { policy, warnings } = (await load(paste(yaml, hintFor(before, command)))).snapshot;
      expect(warnings).to.deep.equal([]);
      expect(networkOf(policy, command)).to.equal('full');
      expect(networkOf(policy, without)).to.equal('none');
      expect(policy.shellModeOf('execute_command')).to.equal(before.shellModeOf('execute_command'));
    });
  }

  const kept: readonly (readonly [title: string, yaml: string, command: string])[] = [
    ['a sandbox', `${ANY}sandboxes: { workspace: { network: none } }\n`, 'curl x'],
    [
      'a rule',
      'extends: [builtin:workspace]\ntools: { execute_command: { allowed_commands: ["*", { command: curl, network: none }] } }\n',
      'curl x',
    ],
    ['a program that nobody can name', ANY, 'T=curl; $T x'],
  ];
  for (const [title, yaml, command] of kept) {
    it(`are not given if ${title} keeps it away all the same`, async () => {
      const { policy } = (await load(yaml)).snapshot;
      const hint = hintFor(policy, command);
      expect(textToPaste(hint), hint).to.equal(undefined);
      expect(hint).to.include('network is off').and.include('Tell the user');
    });
  }
});

describe('a command that met another bound of the sandbox', () => {
  const rows: readonly (readonly [stderr: string, key: string])[] = [
    ['sh: 1: Cannot fork', 'limits.processes'],
    ['Too many open files', 'limits.open_files'],
    ['MemoryError', 'limits.memory'],
    ['File too large', 'limits.max_file_bytes'],
    ['listen EPERM', 'seccomp: unix_sockets'],
    ['Read-only file system', 'filesystem.write'],
  ];
  for (const [stderr, key] of rows) {
    it(`names ${key}, and no line that would replace or do nothing`, () => {
      const hint = explainFailure({ exitCode: 1, stdout: '', stderr }, JOB) ?? '';
      expect(hint).to.include(key).and.not.include('`');
    });
  }
});
