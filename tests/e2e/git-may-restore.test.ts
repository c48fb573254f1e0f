import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { GitGround } from '../support/git-ground.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;
const WORKFLOW = '.github/workflows/ci.yml';
const FILES = ['CLAUDE.md', WORKFLOW, '.vscode/tasks.json'];

describe('git_may_restore', function () {
  this.timeout(120_000);
  const closing: (() => void | Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** `other` has other protected files, `without` has none, and an older commit had others again. */
  function ground(): GitGround {
    const made = new GitGround();
    closing.push(() => made.remove());
    for (const text of ['old', 'main']) {
      for (const name of FILES) made.write(`ws/${name}`, `${text}\n`);
      made.git('add', '-A');
      made.git('commit', '-qm', text);
    }
    made.git('checkout', '-qb', 'other');
    for (const name of [...FILES, '.vscode/settings.json']) made.write(`ws/${name}`, 'other\n');
    made.git('add', '-A');
    made.git('commit', '-qm', 'other');
    made.git('checkout', '-qb', 'without', 'main');
    made.git('rm', '-q', ...FILES);
    made.git('commit', '-qm', 'without');
    made.git('checkout', '-q', 'main');
    return made;
  }

  async function serve(made: GitGround, policy = POLICY): Promise<CommandClient> {
    const client = await CommandClient.start(made, made.policy(policy), { HOME: made.home });
    closing.push(() => client.stop());
    return client;
  }

  function text(made: GitGround, name: string): string {
    return readFileSync(join(made.workspace, name), 'utf8');
  }

  it('lets git bring protected files to what the repository had, as plain git does', async () => {
    const made = ground();
    const beside = new GitGround();
    closing.push(() => beside.remove());
    beside.sh(['rm', '-rf', beside.workspace]);
    beside.sh(['cp', '-a', made.workspace, beside.workspace], made.root);
    const client = await serve(made);
    for (const line of [
      'git checkout -q other',
      'git checkout -q main && git status --porcelain',
      'git switch -q without',
      'git switch -q main',
      'git checkout -q HEAD~1',
      'git checkout -q main',
      'git merge -q other',
      'git reset -q --hard HEAD~1',
      'git restore --source other -- CLAUDE.md',
      'git stash -q',
      'git stash pop -q',
      'git checkout -q -- .',
      'git checkout -q without && git rebase -q main && git checkout -q main',
    ]) {
      const reply = await client.run(line);
      expect(reply.value?.exit_code, `${line}: ${JSON.stringify(reply)}`).to.equal(0);
      beside.sh(['bash', '-c', line]);
      // Commits bear the moment they were made.
      const [inside, plain] = [made, beside].map((one) =>
        one.picture().replaceAll(/[0-9a-f]{40}(?= commit|\n)/g, ''),
      );
      expect(inside, line).to.equal(plain);
    }
  });

  it('puts back what an agent has committed, and names it', async () => {
    const made = ground();
    const client = await serve(made);
    const evil =
      'h=$(echo evil | git hash-object -w --stdin); export GIT_INDEX_FILE=/tmp/i; git read-tree main; for f in CLAUDE.md .github/workflows/ci.yml .vscode/new.json; do git update-index --add --cacheinfo 100644,$h,$f; done; git branch evil $(git commit-tree -p main -m evil $(git write-tree))';
    await client.run({ command: 'bash', stdin: evil });
    expect(made.git('show', 'evil:CLAUDE.md')).to.equal('evil\n');
    for (const [line, isRight] of [
      ['git checkout -q evil', false],
      // Too long to be known beforehand.
      ['git checkout -q evil && git status', false],
      ['git checkout -q -f main', true],
      ['git merge -q evil && git status', false],
      ['git reset -q --hard HEAD~1', true],
      ['git merge -q evil', false],
    ] as const) {
      const reply = await client.run(line);
      expect(reply.success, `${line}: ${JSON.stringify(reply)}`).to.equal(isRight);
      if (!reply.success) expect(reply.error).to.contain('CLAUDE.md').and.contain(WORKFLOW);
      expect([text(made, 'CLAUDE.md'), text(made, WORKFLOW)]).to.deep.equal(['main\n', 'main\n']);
      expect(existsSync(join(made.workspace, '.vscode/new.json'))).to.equal(false);
    }
  });

  it('puts back what an agent has committed as removed, or behind a link', async () => {
    const made = new GitGround();
    closing.push(() => made.remove());
    // In the first commit there is: none of the user's lacks it.
    made.sh(['sh', '-c', 'rm -rf .git && git init -q -b main && mkdir -p .github/workflows']);
    for (const name of ['CLAUDE.md', WORKFLOW]) made.write(`ws/${name}`, 'main\n');
    made.git('add', '-A');
    made.git('commit', '-qm', 'one');
    const client = await serve(made);
    const plant =
      'export GIT_INDEX_FILE=/tmp/i; git read-tree main; git rm -q --cached CLAUDE.md .github/workflows/ci.yml; h=$(printf elsewhere | git hash-object -w --stdin); e=$(echo evil | git hash-object -w --stdin); git update-index --add --cacheinfo 120000,$h,.github --cacheinfo 100644,$e,elsewhere/workflows/ci.yml; git branch evil $(git commit-tree -p main -m evil $(git write-tree))';
    await client.run({ command: 'bash', stdin: plant });
    const reply = await client.run('git checkout -q evil');
    expect(reply.success, JSON.stringify(reply)).to.equal(false);
    expect(reply.error).to.contain('CLAUDE.md').and.contain(WORKFLOW);
    expect([text(made, 'CLAUDE.md'), text(made, WORKFLOW)]).to.deep.equal(['main\n', 'main\n']);
    expect(lstatSync(join(made.workspace, '.github')).isDirectory()).to.equal(true);
  });

  it('opens nothing to scripts, to other programs beside git, nor against a deny', async () => {
    const made = ground();
    const client = await serve(made);
    for (const call of [
      { command: 'bash', stdin: 'git checkout -q other' },
      { command: 'git rebase -x "cp a.txt CLAUDE.md" HEAD~1' },
      { command: 'git status && cp a.txt CLAUDE.md' },
    ]) {
      await client.run(call);
      expect(text(made, 'CLAUDE.md'), JSON.stringify(call)).to.equal('main\n');
    }
    const second = ground();
    const strict = await serve(
      second,
      `extends: [builtin:workspace]\ntools:\n  write_file: { denied_paths: [CLAUDE.md] }\n  execute_command:\n    ${MANY_CALLS}\n`,
    );
    const reply = await strict.run('git checkout -q other');
    expect(reply.success, JSON.stringify(reply)).to.equal(false);
    expect(text(second, 'CLAUDE.md')).to.equal('main\n');
  });

  it('does not count what an agent committed, also not after a reconnect, a rebase or in a clone, until the user takes it over', async () => {
    const made = ground();
    const evil =
      'export GIT_INDEX_FILE=/tmp/i GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; B=$(echo EVIL | git hash-object -w --stdin); git read-tree HEAD; for f in CLAUDE.md .vscode/tasks.json; do git update-index --add --cacheinfo 100644,$B,$f; done; git branch -f evil $(git commit-tree $(git write-tree) -p HEAD -m x)';
    const first = await serve(made);
    expect((await first.run({ command: 'bash', stdin: evil })).value?.exit_code).to.equal(0);
    const isEvil = (workspace = made.workspace): boolean =>
      ['CLAUDE.md', '.vscode/tasks.json'].some((name) => {
        const path = join(workspace, name);
        return existsSync(path) && readFileSync(path, 'utf8').includes('EVIL');
      });
    const attempt = async (client: CommandClient): Promise<void> => {
      for (const line of [
        'git checkout evil',
        'git checkout -f evil',
        'git checkout evil -- CLAUDE.md',
        'git reset --hard evil',
      ])
        await client.run(line);
    };
    await attempt(first);
    expect(isEvil()).to.equal(false);
    await first.server.end();
    const second = await serve(made);
    await attempt(second);
    expect(isEvil()).to.equal(false);
    await second.run('git checkout -f main');
    await second.run({
      command: 'bash',
      stdin: 'git -c user.name=a -c user.email=a@b rebase -q --force-rebase --onto main~1 evil~1 evil',
    });
    await second.server.end();
    made.git('checkout', '-qf', 'main');
    const third = await serve(made);
    await attempt(third);
    expect(isEvil()).to.equal(false);
    await third.server.end();
    made.git('checkout', '-qf', 'main');
    made.sh(['git', 'clone', '-q', 'ws', 'copy'], made.root);
    made.sh(['git', '-C', 'copy', 'branch', '-q', 'evil', 'origin/evil'], made.root);
    const copy = { workspace: join(made.root, 'copy'), state: made.state };
    const inCopy = await CommandClient.start(copy, made.policy(POLICY), { HOME: made.home });
    closing.push(() => inCopy.stop());
    await attempt(inCopy);
    expect(isEvil(copy.workspace)).to.equal(false);
    made.git('merge', '-q', '--no-ff', '--no-edit', 'evil');
    made.git('branch', '-q', 'taken');
    made.git('reset', '-q', '--hard', 'HEAD~1');
    const last = await serve(made);
    const reply = await last.run('git checkout -q taken');
    expect(isEvil(), JSON.stringify(reply)).to.equal(true);
  });
});
