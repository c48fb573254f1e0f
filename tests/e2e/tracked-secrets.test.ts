import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { GitGround } from '../support/git-ground.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;
const SECRETS = ['.env.production', 'keys/server.pem', 'app/.env'];

describe('Secrets that are tracked', function () {
  this.timeout(120_000);
  const closing: (() => void | Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  function ground(): GitGround {
    const made = new GitGround();
    closing.push(() => made.remove());
    for (const name of SECRETS) made.write(`ws/${name}`, `tracked ${name}\n`);
    made.git('add', '-f', '.');
    made.git('commit', '-qm', 'secrets');
    return made;
  }

  async function serve(made: GitGround, policy = POLICY): Promise<CommandClient> {
    const client = await CommandClient.start(made, made.policy(policy), { HOME: made.home });
    closing.push(() => client.stop());
    return client;
  }

  async function output(client: CommandClient, line: string): Promise<string> {
    const { value, error } = await client.run({ command: 'bash', stdin: line });
    return value === undefined ? `refused: ${error}` : `${value.stdout}${value.stderr}`;
  }

  it('are no difference to git, and the file tools still refuse them', async () => {
    const made = ground();
    const client = await serve(made);
    expect(await output(client, 'git status --porcelain')).to.equal('');
    const commit = await client.run('echo more >> a.txt && git commit -qam more && git status --porcelain');
    expect(commit.value?.exit_code, JSON.stringify(commit)).to.equal(0);
    expect(commit.value?.stdout).to.equal('');
    expect(made.git('show', '--stat', '--format=', 'HEAD')).to.match(/^ a.txt \| 1 \+\n 1 file/);
    expect(await output(client, 'cat keys/*.pem')).to.equal('tracked keys/server.pem\n');
    for (const path of SECRETS)
      expect((await client.call('read_file', { path })).success, path).to.equal(false);
  });

  it('can be changed by branches, stashes and edits', async () => {
    const made = ground();
    made.git('checkout', '-qb', 'other');
    for (const name of [...SECRETS, 'new/.env']) made.write(`ws/${name}`, `other ${name}\n`);
    made.git('add', '-f', '.');
    made.git('commit', '-qm', 'other');
    made.git('checkout', '-q', 'main');
    const client = await serve(made);
    for (const line of [
      'git checkout -q other && git status --porcelain',
      'git status --porcelain && cat new/.env && git checkout -q main && git status --porcelain',
      'echo edited >> .env.production; git stash -q && git status --porcelain',
      'git stash pop -q; git diff --stat',
      'git commit -qam edited && git status --porcelain',
      'git mv .env.production .env.staging && git commit -qm moved && git status --porcelain',
    ]) {
      const beside = new GitGround();
      closing.push(() => beside.remove());
      beside.sh(['rm', '-rf', beside.workspace]);
      beside.sh(['cp', '-a', made.workspace, beside.workspace], made.root);
      const expected = beside.sh(['bash', '-c', line]);
      expect(await output(client, line), line).to.equal(expected);
      expect(made.picture().replaceAll(/[0-9a-f]{40}(?= commit|\n)/g, ''), line).to.equal(
        beside.picture().replaceAll(/[0-9a-f]{40}(?= commit|\n)/g, ''),
      );
    }
  });

  it('are hidden while the user has edited them, and work for git again once that is committed', async () => {
    const made = ground();
    made.write('ws/.gitignore', '.env\n');
    made.write('ws/.env', 'UNTRACKED\n');
    made.write('ws/app/.env', 'CHANGED\n');
    const client = await serve(made);
    expect(await output(client, 'cat .env')).not.to.contain('UNTRACKED');
    expect(await output(client, 'cat app/.env; git diff')).not.to.contain('CHANGED');
    const commit = await client.run('git commit -qam all');
    expect(commit.value?.exit_code ?? 'refused', JSON.stringify(commit)).not.to.equal(0);
    expect(JSON.stringify(commit)).to.contain('app/.env');
    made.git('add', '-f', 'app/.env');
    expect(await output(client, 'git diff --cached')).to.contain('+CHANGED');
    made.git('commit', '-qm', 'edited');
    expect(await output(client, 'cat app/.env; git status --short')).to.equal('CHANGED\n?? .gitignore\n');
    expect((await client.call('read_file', { path: 'app/.env' })).success).to.equal(false);
  });

  it('are not opened by what an agent committed, also not after a reconnect, a commit of the user, a rebase or a clone', async () => {
    const made = ground();
    made.write('ws/.gitignore', '.env\n*.key\n');
    made.git('add', '.gitignore');
    made.git('commit', '-qm', 'ignored');
    made.write('ws/.env', 'UNTRACKED\n');
    made.write('ws/certs/prod.key', 'UNTRACKED\n');
    const look = 'cat .env certs/prod.key; grep -rh UNTRACKED . ; git show HEAD:.env';
    const plant =
      'B=$(echo junk | git hash-object -w --stdin); export GIT_INDEX_FILE=/tmp/i; git read-tree HEAD; for f in .env certs/prod.key; do git update-index --add --cacheinfo 100644,$B,$f; done; C=$(git -c user.name=a -c user.email=a@b commit-tree $(git write-tree) -p HEAD -m docs); git update-ref HEAD $C; unset GIT_INDEX_FILE; git reset -q; git ls-tree HEAD .env';
    const first = await serve(made);
    expect(await output(first, plant)).to.contain('\t.env');
    expect(await output(first, look)).not.to.contain('UNTRACKED');
    await first.server.end();
    const later = [
      () => undefined,
      () => made.git('commit', '-q', '--allow-empty', '-m', 'on top'),
      () => made.git('rebase', '-q', '--force-rebase', 'HEAD~2'),
      () => made.git('checkout', '-q', '-b', 'other'),
    ];
    for (const act of later) {
      act();
      const client = await serve(made);
      expect(await output(client, look)).not.to.contain('UNTRACKED');
      await client.server.end();
    }
    made.sh(['sh', '-c', 'git clone -q ws copy; cp ws/.env copy/.env'], made.root);
    const copy = { workspace: join(made.root, 'copy'), state: made.state };
    const client = await CommandClient.start(copy, made.policy(POLICY), { HOME: made.home });
    closing.push(() => client.stop());
    expect(await output(client, 'cat .env; git log --oneline | wc -l')).not.to.contain('UNTRACKED');
  });

  it('stay hidden where git was told not to look at them', async () => {
    const made = ground();
    made.git('update-index', '--skip-worktree', 'app/.env');
    made.git('update-index', '--assume-unchanged', '.env.production');
    for (const name of ['app/.env', '.env.production']) made.write(`ws/${name}`, 'LOCAL\n');
    const client = await serve(made);
    const line = 'git update-index --no-skip-worktree app/.env; git diff; cat app/.env .env.production';
    for (let times = 0; times < 2; times += 1) expect(await output(client, line)).not.to.contain('LOCAL');
  });

  it('are not opened by a commit of before that had them once, nor by a .git that leads elsewhere', async () => {
    const made = ground();
    made.git('branch', 'old');
    made.git('rm', '-q', '--cached', 'app/.env');
    made.git('commit', '-qm', 'not tracked any more');
    made.write('ws/app/.env', 'UNTRACKED\n');
    made.write('ws/docs/.env.production', 'ELSEWHERE\n');
    const client = await serve(made);
    for (const line of [
      'git reset -q old -- app/.env; cat app/.env',
      'cat app/.env; git update-ref --no-deref HEAD old',
      'cat app/.env; git checkout -f old; cat app/.env',
      'echo "gitdir: ../.git" > docs/.git; cat docs/.env.production',
      'cat app/.env docs/.env.production',
    ])
      expect(await output(client, line), line).not.to.match(/UNTRACKED|ELSEWHERE/);
  });

  it('are hidden again once they are not tracked any more', async () => {
    const made = ground();
    const client = await serve(made);
    expect(await output(client, 'cat app/.env')).to.equal('tracked app/.env\n');
    made.git('rm', '-q', '--cached', 'app/.env');
    made.git('commit', '-qm', 'not tracked any more');
    made.write('ws/app/.env', 'UNTRACKED\n');
    expect(await output(client, 'cat app/.env')).not.to.contain('UNTRACKED');
  });

  for (const [what, args, looks] of [
    ['that only reads', { command: 'sleep 1000' }, false],
    ['that another one ran beside', { command: 'bash', stdin: 'sleep 1000' }, true],
  ] as const) {
    it(`are not opened by the end of a command ${what} while the user edited them`, async () => {
      const made = ground();
      const client = await serve(made);
      expect(await output(client, 'cat app/.env')).to.equal('tracked app/.env\n');
      const begun = await client.run({ ...args, background: true });
      const id = /p_[\w-]+/.exec(JSON.stringify(begun))?.[0];
      made.write('ws/app/.env', 'EDITED\n');
      if (looks) expect(await output(client, 'cat app/.env')).not.to.contain('EDITED');
      expect((await client.call('stop_process', { process_id: id })).success).to.equal(true);
      expect(await output(client, 'cat app/.env'))
        .to.contain('Permission denied')
        .and.not.contain('EDITED');
    });
  }

  it('are not what the user makes of a copied example while a command runs', async () => {
    const made = ground();
    made.write('ws/.env.example', 'KEY=example\n');
    made.git('add', '.');
    made.git('commit', '-qm', 'example');
    const client = await serve(made);
    const begun = await client.run({ command: 'bash', stdin: 'sleep 1000', background: true });
    const id = /p_[\w-]+/.exec(JSON.stringify(begun))?.[0];
    made.write('ws/.env', 'KEY=example\n');
    await client.call('process_output', { process_id: id, wait_for: 'idle', wait: 1 });
    made.write('ws/.env', 'KEY=OWN\n');
    await client.call('process_output', { process_id: id, wait_for: 'idle', wait: 1 });
    expect((await client.call('stop_process', { process_id: id })).success).to.equal(true);
    expect(await output(client, 'cat .env'))
      .to.contain('Permission denied')
      .and.not.contain('OWN');
  });

  it('are not opened by a commit that only has their name', async () => {
    const made = ground();
    made.write('ws/.env', 'UNTRACKED\n');
    const client = await serve(made);
    const plant =
      'h=$(echo mine | git hash-object -w --stdin); git update-index --add --cacheinfo 100644,$h,.env; git commit -qm planted; git ls-tree HEAD .env; cat .env';
    expect(await output(client, plant)).to.match(/blob .*\.env/);
    expect(await output(client, 'cat .env; git add -A; git show :.env')).not.to.contain('UNTRACKED');
  });

  it('stay hidden where a policy names them', async () => {
    const made = ground();
    made.write('ws/keys/server.pem', 'EDITED\n');
    const strict = await serve(
      made,
      `extends: [builtin:workspace]\ntools:\n  read_file: { denied_paths: ["keys/**"] }\n  execute_command:\n    ${MANY_CALLS}\n`,
    );
    expect(await output(strict, 'cat keys/server.pem')).not.to.match(/tracked|EDITED/);
    expect(await output(strict, 'cat .env.production')).to.equal('tracked .env.production\n');
    expect(readFileSync(join(made.workspace, 'keys/server.pem'), 'utf8')).to.equal('EDITED\n');
  });

  it('are open in nested repositories, worktrees and submodules as well', async () => {
    const made = ground();
    made.write('ws/nested/.env', 'nested\n');
    made.sh(['sh', '-c', 'git init -q && git add -f . && git commit -qm n'], join(made.workspace, 'nested'));
    made.git('worktree', 'add', '-q', 'tree', 'main~0');
    made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './nested', 'module');
    made.git('commit', '-qm', 'module');
    const client = await serve(made);
    for (const folder of ['nested', 'tree', 'module'])
      expect(
        await output(client, `cd ${folder} && git status --porcelain; cat .env app/.env 2>/dev/null`),
      ).to.match(/^(nested|tracked app\/.env)\n$/);
  });
});
