import { expect } from 'chai';
import type { SandboxJob } from '../../../../src/application/ports/command/command-sandbox.js';
import type { Obligations } from '../../../../src/domain/permission/policy/obligations.js';
import { explainFailure } from '../../../../src/infrastructure/command/sandbox/sandbox-hint.js';
import { withEntry } from '../../../support/follow-hint.js';
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
const LINE: SandboxJob = { ...JOB, program: { kind: 'script', text: 'curl x | head', shell: '/bin/bash' } };

const NAMED = 'tools: { execute_command: { allowed_commands: [curl, head] } }';
const ANY = 'extends: [builtin:workspace]';

type Row = readonly [failure: string, job: SandboxJob, command: string, holds: (has: Obligations) => boolean];

/** What a command failed with, and what must hold once the policy has what the hint recommends. */
const ROWS: readonly Row[] = [
  ['Could not resolve host', JOB, 'curl example.com', ({ network }) => network === 'full'],
  ['Could not resolve host', LINE, 'curl x | head', ({ network }) => network === 'full'],
  ['sh: 1: Cannot fork', JOB, 'curl x', ({ limits }) => limits.processes === GENEROUS.processes * 2],
  ['Too many open files', JOB, 'curl x', ({ limits }) => limits.openFiles === GENEROUS.openFiles * 2],
  ['MemoryError', JOB, 'curl x', ({ limits }) => limits.memoryBytes === GENEROUS.memoryBytes * 2],
  ['File too large', JOB, 'curl x', ({ limits }) => limits.maxFileBytes === GENEROUS.fileBytes * 2],
  ['Read-only file system', JOB, 'curl x', ({ sandbox }) => sandbox?.write.includes('/workspace') === true],
];

describe('the entries that a failed command recommends', () => {
  for (const [stderr, job, command, holds] of ROWS) {
    for (const yaml of [NAMED, ANY]) {
      it(`work for ${JSON.stringify(stderr)} of ${command} under ${yaml.slice(0, 12)}…`, async () => {
        const hint = explainFailure({ exitCode: 1, stdout: '', stderr }, job) ?? '';
        const entries = [...hint.matchAll(/`((?:tools|sandboxes): \{.*?\})`/g)].map(
          ([, entry = '']) => entry,
        );
        expect(entries, hint).to.not.have.length(0);
        const { document } = await load(yaml);
        const changed = entries.reduce((text, entry) => withEntry(text, entry, document), yaml);
        const { snapshot } = await load(changed);
        const decision = decide(snapshot.policy, 'execute_command', { command });
        if (decision.effect === 'deny') throw new Error(decision.message);
        expect(holds(decision.obligations), `${hint}\n${changed}`).to.equal(true);
      });
    }
  }

  it('take the filter away where unix sockets are wanted', async () => {
    const hint = explainFailure({ exitCode: 1, stdout: '', stderr: 'listen EPERM' }, JOB) ?? '';
    const entry = /`(sandboxes: \{.*?\})` in the policy/.exec(hint)?.[1] ?? '';
    const { snapshot } = await load(withEntry(ANY, entry, (await load(ANY)).document));
    const decision = decide(snapshot.policy, 'execute_command', { command: 'curl x' });
    expect(decision.effect !== 'deny' && decision.obligations.sandbox?.seccomp).to.equal('none');
  });
});
