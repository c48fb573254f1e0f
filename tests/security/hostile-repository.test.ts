import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { HostileRepository } from '../support/hostile-repository.js';

/** Nothing but the analysis and the overrides stand in the way. */
const POLICY = `
tools:
  execute_command:
    allowed_commands: [git, cat, head, echo, env, nice, cd]
    sandbox: none
    timeout: 20
    ${MANY_CALLS}
`;

const LINES = `
git status
git status -v
git status --ignore-submodules=none
git diff
git diff HEAD
git diff --submodule=diff
git diff other
git diff --cached
git log -p
git log --format=%G?
git log --format=%GS%GK%GF
git log --pretty=sig
git log --stat -p --all
git show
git show --format=%G?
git show HEAD:a.txt
git whatchanged -p
git reflog -p
git blame a.txt
git annotate a.txt
git grep x
git stash list
git stash
git stash show -p
git stash pop
git add a.txt
git add -A
git commit -m x
git commit -am x
git commit --amend --no-edit
git commit --allow-empty
git tag -a -m x t1
git tag t2
git tag --format=%(contents:signature)
git merge other
git merge --abort
git merge --no-ff -m x other
git reset --hard
git checkout other
git checkout main
git checkout -- a.txt
git switch other
git switch main
git restore a.txt
git cherry-pick other
git cherry-pick --abort
git revert HEAD
git revert --abort
git rm -f nested
git rm --cached nested
git mv c.x d.x
git clean -n
git fetch
git fetch origin
git fetch --all
git fetch ext
git fetch vcs
git fetch ssh
git fetch git
git fetch https
git fetch short:x
git pull
git pull --rebase
git pull --rebase=interactive
git push
git push origin main
git push origin HEAD:refs/heads/new
git push https main
git push short:x main
git ls-files -o
git ls-tree HEAD
git cat-file -p HEAD
git describe --always
git branch -a
git branch new
git for-each-ref --format=%(contents)
git rev-list HEAD
git shortlog HEAD
git count-objects -v
git init again
git init
git remote -v
git remote show origin
git worktree list
git -C nested status
git -C nested diff
git -C nested log --format=%G?
git -C nested checkout other
cd nested && git status
cd nested && git commit -am x
env LANG=C git status
nice git diff
git add -A && git status
git add -A && git commit -m y
git add -f nested && git rm -f nested
git add nested/../nested && git diff
git checkout other && git status
git log -p | head -3
`
  .trim()
  .split('\n');

/** Every third; all of them in the long run. */
const TRIED = LINES.filter((_, index) => process.env.CASTELLAN_LONG === '1' || index % 3 === 0);

const TRAPPED = [
  'git status -v',
  'git diff HEAD',
  'git log -p -1',
  'git log --format=%G?',
  'git blame a.txt',
  'git -c commit.gpgSign=false commit -am x',
  'git checkout -f other',
  'git merge main',
  'git fetch ssh',
  'git fetch git',
  'git fetch origin',
  'git push origin',
];

describe('A repository whose settings run programs, under git by name', function () {
  this.timeout(300_000);
  let ground: HostileRepository;
  let client: CommandClient;

  before(async () => {
    ground = new HostileRepository();
    client = await CommandClient.start(ground, ground.policy(POLICY));
  });

  after(async () => {
    await client?.stop();
    ground?.remove();
  });

  it('is a trap: plain git runs into it, by most of these lines', () => {
    const other = new HostileRepository();
    for (const line of TRAPPED) {
      try {
        // Ends what git waits for as well, which would outlive the test.
        execFileSync('timeout', ['2', 'sh', '-c', line], { cwd: other.workspace, stdio: 'pipe', input: '' });
      } catch {
        // What it says does not matter.
      }
    }
    const ran = other.ran();
    other.remove();
    expect(ran).to.include.members([
      'workspace-fsmonitor',
      'workspace-clean',
      'workspace-gpg-openpgp',
      'workspace-ssh',
      'workspace-proxy',
    ]);
    expect(ran.length, ran.join(' ')).to.be.at.least(15);
  });

  it('runs none of them, whatever the subcommand', async () => {
    const guilty: string[] = [];
    let seen = 0;
    for (const line of TRIED) {
      await client.run(line);
      const ran = ground.ran();
      if (ran.length > seen) guilty.push(`${line}: ${ran.join(' ')}`);
      seen = ran.length;
    }
    expect(guilty).to.deep.equal([]);
  });

  it('still shows its state', async () => {
    for (const line of ['git status', 'git log --oneline', 'git diff --stat', 'git branch']) {
      const reply = await client.run(line);
      expect(reply.value?.exit_code, `${line}: ${JSON.stringify(reply).slice(0, 400)}`).to.equal(0);
    }
  });

  it('is refused where its settings cannot be listed: a pipe, no end, a cut, names that are not text', async () => {
    const config = join(ground.workspace, '.git/config');
    const included = join(ground.workspace, 'included');
    mkdirSync(join(ground.workspace, 'd'), { recursive: true });
    appendFileSync(config, '[include]\n\tpath = ../included\n');
    for (const make of [
      () => execFileSync('mkfifo', [included]),
      () => symlinkSync('/dev/zero', included),
      () => writeFileSync(included, '[filter "x'),
      () => writeFileSync(included, `[filter "${'y'.repeat(60)}"]\n\tclean = x\n`.repeat(40_000)),
      () =>
        writeFileSync(
          included,
          Buffer.from([...Buffer.from('[filter "'), 0xff, ...Buffer.from('"]\n\tclean = x\n')]),
        ),
      () =>
        writeFileSync(
          included,
          Array.from({ length: 2000 }, (_, index) => `[filter "f${index}"]\n\tclean = x\n`).join(''),
        ),
    ]) {
      rmSync(included, { force: true });
      make();
      const reply = await client.run({ command: 'git status', timeout: 3 });
      expect(reply.error_details?.reason, JSON.stringify(reply).slice(0, 300)).to.equal('HAZARDOUS_ARGUMENT');
    }
    rmSync(included);
    expect((await client.run('git status')).success).to.equal(true);
  });

  it('is refused the network where it rewrites addresses', async () => {
    appendFileSync(join(ground.workspace, '.git/config'), '[url "ext::x"]\n\tinsteadOf = https:\n');
    for (const line of ['git fetch https', 'git push https main', 'git pull']) {
      expect((await client.run(line)).error_details?.reason, line).to.equal('HAZARDOUS_ARGUMENT');
    }
    expect((await client.run('git status')).success).to.equal(true);
  });

  it('is refused where its working tree is elsewhere', async () => {
    appendFileSync(join(ground.workspace, '.git/config'), '[core]\n\tworktree = /etc\n');
    for (const line of ['git status', 'git add -A', 'git checkout -- .']) {
      expect((await client.run(line)).error_details?.reason, line).to.equal('HAZARDOUS_ARGUMENT');
    }
    expect(ground.ran()).to.deep.equal([]);
  });
});

describe('The same repository in the sandbox', function () {
  this.timeout(120_000);
  let ground: HostileRepository;
  let client: CommandClient;

  before(async () => {
    ground = new HostileRepository();
    const policy = POLICY.replace('sandbox: none', 'sandbox: workspace');
    client = await CommandClient.start(ground, ground.policy(policy));
  });

  after(async () => {
    await client?.stop();
    ground?.remove();
  });

  it('shows its state and takes commits, without running anything', async () => {
    for (const line of [
      'git status',
      'git log --oneline | head -2',
      'git diff --stat',
      'git -C nested status',
      'env LANG=C git branch',
      'git add a.txt && git status -s',
    ]) {
      const reply = await client.run(line);
      expect(reply.value?.exit_code, `${line}: ${JSON.stringify(reply).slice(0, 400)}`).to.equal(0);
      expect(reply.value?.stderr, line).not.to.include('run-');
    }
  });
});
