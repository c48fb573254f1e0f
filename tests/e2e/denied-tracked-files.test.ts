import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';
import { GitGround } from '../support/git-ground.js';
import { ORDINARY_USER } from '../support/ordinary-user.js';

const FILES = ['data/private.txt', 'data/run.sh'];
const POLICY = `extends: [builtin:workspace]\ntools:\n  files.read: { denied_paths: [data/private.txt, data/run.sh] }\n  execute_command:\n    ${MANY_CALLS}\n`;

for (const uid of [undefined, ...(ORDINARY_USER === undefined ? [] : [ORDINARY_USER])]) {
  const who = uid === undefined ? 'whoever runs the tests' : 'an ordinary user';

  describe(`Tracked files that the policy denies, to a server of ${who}`, function () {
    this.timeout(120_000);
    const closing: (() => void | Promise<void>)[] = [];

    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });

    async function serve(): Promise<{ readonly made: GitGround; readonly client: CommandClient }> {
      const made = new GitGround(uid);
      closing.push(() => made.remove());
      for (const name of FILES) made.write(`ws/${name}`, 'SECRET\n');
      made.sh(['chmod', '+x', 'data/run.sh']);
      made.own();
      made.git('add', '-A');
      made.git('commit', '-qm', 'data');
      made.git('branch', 'side');
      // git reads what is as young as its index.
      const committedMs = Date.now();
      await eventually('that second is over', () => Date.now() > committedMs + 1_000);
      const policy = made.policy(POLICY);
      made.own();
      const client = await CommandClient.start(made, policy, { HOME: made.home }, uid);
      closing.push(() => client.stop());
      return { made, client };
    }

    it('are unchanged to git as long as nobody changed them, and cannot be read', async () => {
      const { made, client } = await serve();
      for (const line of [
        'git status --porcelain',
        'git diff',
        'echo more >> a.txt && git commit -qam more',
        'echo again >> a.txt && git stash -q && git stash pop -q && git add -A && git commit -qm again',
        'git checkout -q side && git checkout -q main && git rebase -q HEAD~1 && git reset -q --hard',
        'git diff-files',
        "bash <<'EOF'\ngit status --porcelain\nEOF",
      ]) {
        const reply = await client.run(line);
        expect(reply.value?.exit_code, `${line}: ${JSON.stringify(reply)}`).to.equal(0);
        expect(reply.value?.stdout, line).to.equal('');
      }
      expect(made.git('status', '--porcelain')).to.equal('');
      for (const path of FILES) {
        const stdin = `cat ${path}; chmod 777 ${path}; cat ${path}; cp ${path} x; ls -l x`;
        const reply = await client.run({ command: 'bash', stdin });
        expect(JSON.stringify(reply), path).not.to.contain('SECRET');
        expect(reply.value?.stderr, JSON.stringify(reply)).to.match(
          /Permission denied.*Read-only file system.*No such file/s,
        );
        expect(readFileSync(join(made.workspace, path), 'utf8')).to.equal('SECRET\n');
      }
    });

    it('are changed to git, and of the same type, where the user changed them', async () => {
      const { made, client } = await serve();
      made.write('ws/data/private.txt', 'SECRE2\n');
      made.own();
      const status = await client.run('git status --porcelain');
      expect(status.value?.stdout).to.equal(' M data/private.txt\n');
      expect(status.value?.stdout).to.equal(made.git('status', '--porcelain'));
      const commit = await client.run('git commit -qam all');
      expect(JSON.stringify(commit)).to.contain('data/private.txt').and.not.to.contain('SECRE');
      expect(made.git('log', '-1', '--format=%s').trim()).to.equal('data');
    });

    it('are drawn and counted as the repository has them, and never as empty files', async () => {
      const { made, client } = await serve();
      for (const words of [
        ['diff', 'HEAD~1'],
        ['diff', '--stat', 'HEAD~1'],
        ['diff', '--cached', 'HEAD~1'],
        ['log', '-p', '-2'],
        ['show', '--stat', '--format=%s'],
        ['format-patch', '--stdout', '-1'],
      ]) {
        const reply = await client.run(`git ${words.join(' ')}`);
        expect(reply.value?.stdout, JSON.stringify(reply)).to.equal(made.git(...words));
      }
      const amended = await client.run('echo more >> a.txt && git commit --amend -a --no-edit');
      expect(amended.value?.stdout).to.match(/ 3 files changed, 3 insertions\(\+\)/);
    });

    it('are a change to git once somebody changed them, and nothing is committed in their place', async () => {
      const { made, client } = await serve();
      expect((await client.run('git status --porcelain')).value?.stdout).to.equal('');
      // As large as before.
      made.write('ws/data/private.txt', 'CHANGE\n');
      expect((await client.run('git status --porcelain')).value?.stdout).to.contain('data/private.txt');
      for (const line of ['git commit -qam all', 'git diff', 'git diff | cat', 'git diff --stat > sizes']) {
        const reply = await client.run(line);
        expect(reply.success, line).to.equal(false);
        expect(reply.error, line).to.match(/data\/private\.txt.*hide/s);
      }
      expect(made.git('log', '-1', '--format=%s')).to.equal('data\n');
    });
  });
}
