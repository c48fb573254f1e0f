import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { GitGround } from '../support/git-ground.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;
const MAIN = resolve('dist/main.js');

describe('castellan git, for the user of a repository', function () {
  this.timeout(120_000);
  let made: GitGround;
  let client: CommandClient;

  beforeEach(async () => {
    made = new GitGround();
    client = await CommandClient.start(made, made.policy(POLICY), { HOME: made.home });
  });

  afterEach(async () => {
    await client.stop();
    made.remove();
  });

  function castellan(...args: readonly string[]): { readonly code: number | null; readonly text: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'git', ...args], {
      cwd: made.workspace,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: made.home,
        XDG_STATE_HOME: made.state,
        CASTELLAN_WORKSPACE: made.workspace,
        CASTELLAN_POLICY: made.policy(POLICY),
      },
    });
    return { code: status, text: stdout + stderr };
  }

  it('gives a branch back that a command deleted, and one that it rewrote', async () => {
    const lost = made.git('rev-parse', 'topic').trim();
    await client.run('git branch -D topic');
    expect(made.git('branch', '--list', 'topic')).to.equal('');
    await client.run('git commit -q --amend -m other');
    const status = castellan('status');
    expect(status.text).to.contain(lost.slice(0, 12));
    expect(castellan('restore', lost.slice(0, 12)).text).to.contain(
      `refs/heads/restored-${lost.slice(0, 12)}`,
    );
    expect(made.git('rev-parse', `restored-${lost.slice(0, 12)}`).trim()).to.equal(lost);
    const none = castellan('restore', '0123456789');
    expect(none.code).to.equal(1);
    expect(none.text).to.contain('No kept commit begins with 0123456789');
  });

  it('gives back what the user has thrown away since', async () => {
    const lost = made.git('rev-parse', 'topic').trim();
    await client.run('git branch -D topic');
    made.git('reflog', 'expire', '--expire=now', '--all');
    made.git('gc', '-q', '--prune=now');
    expect(castellan('restore', lost.slice(0, 12)).code).to.equal(0);
    expect(made.git('cat-file', '-t', lost)).to.equal('commit\n');
  });

  it('shows what waits, carries it, and puts aside what commands have not passed on', async () => {
    await client.run('true');
    expect(castellan('status').text).to.equal('Nothing waits.\n');
    made.git('tag', 'theirs');
    expect(castellan('status').text).to.match(/The user changed.*\n {2}refs\/tags\/theirs/);
    expect(castellan('sync').text).to.contain('are as one');
    expect(castellan('status').text).to.equal('Nothing waits.\n');
    const [, aside = ''] = /is in (\S+) now/.exec(castellan('discard').text) ?? [];
    expect(existsSync(join(aside, 'HEAD')), aside).to.equal(true);
    expect((await client.run('git tag')).value?.stdout).to.equal('theirs\n');
  });

  it("counts commits of commands as the user's where the user says so", async () => {
    await client.run('git commit -q --allow-empty -m one && git commit -q --allow-empty -m two');
    expect(castellan('adopt', 'HEAD').text).to.match(/^2 commits of commands/);
    expect(castellan('adopt', 'HEAD').text).to.match(/^0 commits of commands/);
    expect(castellan('adopt', 'nowhere').code).to.equal(1);
  });
});
