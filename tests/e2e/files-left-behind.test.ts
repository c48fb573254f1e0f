import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { CommandClient, type CommandReply, MANY_CALLS } from '../support/command-client.js';
import { GitGround } from '../support/git-ground.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  read_file: { denied_paths: [kept.txt] }\n  execute_command:\n    git_may_restore: false\n    ${MANY_CALLS}\n`;

const LONG = process.env.CASTELLAN_LONG === '1';

describe('Files that git could not write', function () {
  this.timeout(120_000);
  const closing: (() => void | Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** `other` differs from main in a.txt and in the files; `same` only in a.txt. */
  async function serve(
    ...files: readonly string[]
  ): Promise<{ readonly made: GitGround; readonly client: CommandClient }> {
    const made = new GitGround();
    closing.push(() => made.remove());
    for (const name of files) made.write(`ws/${name}`, 'main\n');
    made.git('add', '-A');
    made.git('commit', '-qm', 'main');
    for (const branch of ['same', 'other']) {
      made.git('checkout', '-qb', branch, 'main');
      made.write('ws/a.txt', `${branch}\n`);
      if (branch === 'other') for (const name of files) made.write(`ws/${name}`, 'other\n');
      made.git('commit', '-qam', branch);
    }
    made.git('checkout', '-q', 'main');
    const client = await CommandClient.start(made, made.policy(POLICY), { HOME: made.home });
    closing.push(() => client.stop());
    return { made, client };
  }

  function expectFailure(reply: CommandReply, ...names: readonly string[]): void {
    expect(reply.success, JSON.stringify(reply)).to.equal(false);
    for (const name of names) expect(reply.error).to.contain(name);
  }

  /** Does what the answer says. */
  async function goBack(client: CommandClient, { error = '' }: CommandReply): Promise<void> {
    const [, first, second] = /to go back, run (git reset .+?) and then (git .+?)\. /.exec(error) ?? [];
    expect(first, error).to.be.a('string');
    for (const line of [first ?? '', second ?? '']) {
      const reply = await client.run(line);
      expect(reply.value?.exit_code, `${line}: ${JSON.stringify(reply)}`).to.equal(0);
    }
  }

  for (const name of ['CLAUDE.md', '.github/workflows/ci.yml']) {
    it(`make a checkout fail before anything is touched: ${name}`, async () => {
      const { made, client } = await serve(name);
      const before = made.picture();
      const lines = [
        'git checkout -q other',
        'git checkout -q other; true',
        'git switch -c new other',
        'git checkout other~0',
        'git merge other',
        'git merge --squash other',
        'git rebase other',
        'git cherry-pick other',
        'git reset --hard other',
        'git checkout other -- .',
        `git restore -s other ${name}`,
        `git -C sub checkout --no-progress ${made.git('rev-parse', 'other').trim()}`,
      ];
      // All of them for one file; for the other in the long run.
      for (const line of lines.filter((_, index) => LONG || name === 'CLAUDE.md' || index % 5 === 0)) {
        const failed = await client.run(line);
        expectFailure(failed, name, 'Nothing was done');
        expect(made.picture(), line).to.equal(before);
      }
      // git itself refuses, with a reason of its own.
      made.write('ws/a.txt', 'edited\n');
      expect((await client.run('git checkout other')).value?.stderr).to.contain('a.txt');
      expect((await client.run('git checkout same')).value?.stderr).to.contain('a.txt');
    });

    it(`make a checkout fail in a longer line, with the file named and a way back: ${name}`, async () => {
      const { made, client } = await serve(name);
      const before = made.picture();
      // `sleep` is no program that ends with git, so that the line is not looked at beforehand.
      const failed = await client.run('git checkout -q other; sleep 0');
      expectFailure(failed, name);
      expect(readFileSync(join(made.workspace, name), 'utf8')).to.equal('main\n');
      await goBack(client, failed);
      expect(made.picture()).to.equal(before);
    });
  }

  it('make a merge fail that stopped half way, also where something else succeeded after it', async () => {
    const { made, client } = await serve('CLAUDE.md');
    const before = made.picture();
    const failed = await client.run('git merge -q other; sleep 0');
    expectFailure(failed, 'CLAUDE.md', 'git checkout -- FILE');
    await client.run('git checkout -q -- a.txt');
    expect(made.picture()).to.equal(before);
  });

  it('are named where the policy denies one of them, and nothing is touched', async () => {
    const { made, client } = await serve('kept.txt');
    const before = made.picture();
    for (const line of ['git checkout -q other', 'git checkout -q other 2>&1; git status --short']) {
      const reply = await client.run(line);
      expectFailure(reply, 'kept.txt');
      if (line.endsWith('other')) expect(made.picture()).to.equal(before);
    }
  });

  it('make a script fail, and lines of which git is a part', async () => {
    const { client } = await serve('CLAUDE.md');
    expectFailure(await client.run({ command: 'bash', stdin: 'git checkout -q other; true' }), 'CLAUDE.md');
    const { client: second } = await serve('CLAUDE.md');
    expectFailure(await second.run('git checkout -q other 2>/dev/null && echo done'), 'CLAUDE.md');
  });

  it('make merges, resets, restores and stashes fail', async () => {
    const { made, client } = await serve('CLAUDE.md');
    const before = made.picture();
    for (const line of [
      'git merge -q other',
      'git reset -q --hard other',
      'git checkout -q other -- CLAUDE.md',
      'git restore --source other CLAUDE.md',
      'git cherry-pick other',
      'git rebase -q other',
    ]) {
      expectFailure(await client.run(line), 'CLAUDE.md');
      expect(made.picture(), line).to.equal(before);
    }
  });

  it('are no failure where git had nothing to write', async () => {
    const { client } = await serve('CLAUDE.md', '.vscode/settings.json');
    for (const line of [
      'git checkout -q same && git checkout -q main',
      'git merge -q same && git reset -q --hard HEAD~1',
      'git reset -q other && git reset -q main',
      'git reset -q other',
      'git reset -q main',
      'git rm -q --cached CLAUDE.md',
      'git add CLAUDE.md',
    ]) {
      const reply = await client.run(line);
      expect(reply.value?.exit_code, `${line}: ${JSON.stringify(reply)}`).to.equal(0);
    }
  });
});
