import { expect } from 'chai';
import type { SandboxJob } from '../../../../src/application/ports/command/command-sandbox.js';
import { explainFailure } from '../../../../src/infrastructure/command/feedback/sandbox-hint.js';
import { GENEROUS } from '../../../support/sandbox-jobs.js';

const JOB: SandboxJob = {
  program: { kind: 'argv', file: '/usr/bin/make', args: ['all'] },
  cwd: '/project',
  env: {},
  view: {
    read: [],
    write: ['/project'],
    hide: ['/project/node_modules/a/key.txt', '/project/secrets'],
    readOnlyInside: ['/project/packages/b/.vscode', '/project/raw'],
    pinned: ['/project/node_modules/a'],
  },
  home: '/home/private',
  network: 'none',
  systemCalls: 'filtered',
  limits: GENEROUS,
};

const KEPT = /can neither remove nor rename/;
const FIXED = /cannot change/;
const HIDDEN = /cannot read .*the policy hides/;

/** What programs say that were never told the guarded path. */
const ROWS: readonly (readonly [said: string, told: RegExp, names: string])[] = [
  ["rm: cannot remove 'node_modules/a/key.txt': Device or resource busy", KEPT, 'node_modules/a/key.txt'],
  ["rm: cannot remove 'node_modules': Device or resource busy", KEPT, 'node_modules'],
  ["mv: cannot move 'packages/b' to 'packages/c': Device or resource busy", KEPT, 'packages/b'],
  ["Error: EBUSY: resource busy or locked, rmdir '/project/node_modules/a'", KEPT, '/project/node_modules/a'],
  [
    'npm error code EBUSY\nnpm error syscall rename\nnpm error path /project/node_modules/a\nnpm error errno -16',
    KEPT,
    '/project/node_modules/a',
  ],
  ["OSError: [Errno 16] Device or resource busy: 'node_modules/a/key.txt'", KEPT, 'node_modules/a/key.txt'],
  ['make: something: Device or resource busy', KEPT, 'the command met one'],
  ["Error: EROFS: read-only file system, open '/project/raw/2024/x.csv'", FIXED, '/project/raw/2024/x.csv'],
  ["OSError: [Errno 30] Read-only file system: 'packages/b/.vscode/a.json'", FIXED, '.vscode'],
  ["Error: EACCES: permission denied, open '/project/node_modules/a/key.txt'", HIDDEN, 'key.txt'],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'secrets/token'", HIDDEN, 'secrets/token'],
  [
    "Error: ENOENT: no such file or directory, open '/project/secrets/token'",
    HIDDEN,
    '/project/secrets/token',
  ],
];

describe('a failure because of a guard', () => {
  for (const [stderr, told, name] of ROWS) {
    it(`is explained: ${stderr.replaceAll('\n', ' | ')}`, () => {
      expect(explainFailure({ exitCode: 1, stdout: '', stderr }, JOB))
        .to.match(told)
        .and.include(name);
    });
  }

  it('is not seen where a path is not guarded', () => {
    const other = explainFailure(
      { exitCode: 1, stdout: '', stderr: "open '/project/src/a': No such file or directory" },
      JOB,
    );
    expect(other).to.equal(undefined);
  });

  it('of a folder of which parts are shown names what lies outside of them', () => {
    const job = {
      ...JOB,
      program: { kind: 'script', shell: '/bin/bash', text: 'cat README.md' } as const,
      view: { read: [], write: ['/project/src'], hide: [], readOnlyInside: [] },
    };
    const stderr = 'cat: README.md: No such file or directory';
    expect(explainFailure({ exitCode: 1, stdout: '', stderr }, job)).to.match(
      /README\.md lies outside what commands see/,
    );
  });
});
