import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  type GitStatus,
  type GitSurroundings,
  type GitWork,
  gitCommand,
} from '../../../src/presentation/cli/git-command.js';
import { MemoryOutput } from '../../support/memory-output.js';

const QUIET: GitStatus = { isSetUp: true, waiting: [], conflicts: [], kept: [], aside: [] };

interface Fake {
  readonly status?: Partial<GitStatus>;
  readonly told?: readonly string[];
  readonly aside?: string;
}

async function run(work: GitWork, { status, told = [], aside }: Fake = {}, argument?: string) {
  const output = new MemoryOutput();
  const git: GitSurroundings = {
    status: async () => ({ ...QUIET, ...status }),
    sync: async () => told,
    discard: async () => aside,
    adopt: async (revision) => {
      if (revision === 'none') throw new Error('none names no commit');
      return 3;
    },
    restore: async (tip) => `refs/heads/restored-${tip}`,
  };
  const code = await gitCommand(git, work, argument, output);
  return { code, out: output.stdout.trimEnd(), err: output.stderr.trimEnd() };
}

describe('castellan git', () => {
  it('says when nothing waits, and when no command has used git', async () => {
    expect((await run('status')).out).to.equal('Nothing waits.');
    expect((await run('status', { status: { isSetUp: false } })).out).to.contain('No command has used git');
  });

  it('names what waits on either side, conflicts, what is kept and what was put aside', async () => {
    const { out, code } = await run('status', {
      status: {
        waiting: [
          { side: 'commands', item: 'refs/heads/a' },
          { side: 'user', item: 'refs/heads/b' },
        ],
        conflicts: ['refs/airlock/heads/main-0123'],
        kept: [{ name: 'refs/heads/gone', tip: '0123456789abcdef', at: '2026-01-01T00:00:00.000Z' }],
        aside: ['/state/aside/1'],
      },
    });
    expect(code).to.equal(0);
    expect(out).to.match(/Commands changed.*\n {2}refs\/heads\/a\nThe user changed.*\n {2}refs\/heads\/b/);
    for (const part of ['refs/airlock/heads/main-0123', '0123456789ab', 'refs/heads/gone', '/state/aside/1'])
      expect(out).to.contain(part);
    expect(out).not.to.contain('Nothing waits');
  });

  it('says what each work did', async () => {
    expect((await run('sync')).out).to.contain('are as one');
    expect((await run('sync', { told: ['A lock is held.'] })).out).to.equal('A lock is held.');
    expect((await run('discard')).out).to.equal('Nothing waited.');
    expect((await run('discard', { aside: '/aside/1' })).out).to.contain('/aside/1');
    expect((await run('adopt', {}, 'main')).out).to.match(/^3 commits of commands up to main/);
    expect((await run('restore', {}, 'abc')).out).to.equal('Restored as refs/heads/restored-abc.');
  });

  it('fails with the reason', async () => {
    const { code, out, err } = await run('adopt', {}, 'none');
    expect([code, out, err]).to.deep.equal([1, '', 'none names no commit']);
  });

  it('has nothing to do without a repository, and cannot give back what is not kept', async () => {
    for (const [work, code] of [
      ['status', 0],
      ['sync', 0],
      ['discard', 0],
      ['adopt', 1],
      ['restore', 1],
    ] as const) {
      const output = new MemoryOutput();
      expect(await gitCommand(undefined, work, 'x', output), work).to.equal(code);
      expect(code === 0 ? output.stdout : output.stderr, work).to.contain('no git folder of their own');
    }
  });
});
