import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import type {
  CommandOutcome,
  SandboxView,
} from '../../../../src/application/ports/command/command-sandbox.js';
import { protectGit } from '../../../../src/infrastructure/command/git/git-protection.js';
import { BubblewrapSandbox } from '../../../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { eventually } from '../../../support/eventually.js';
import { outcomeOf, requireSandbox, SandboxGround } from '../../../support/sandbox-jobs.js';

describe('BubblewrapSandbox', () => {
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;

  before(async () => {
    const probe = new SandboxGround();
    await requireSandbox(probe.bubblewrap());
    probe.remove();
  });

  beforeEach(() => {
    ground = new SandboxGround();
    sandbox = ground.bubblewrap();
  });

  afterEach(async () => {
    await sandbox.close();
    ground.remove();
  });

  const view = (parts: Partial<SandboxView>): SandboxView => ({
    read: [],
    write: [ground.workspace],
    hide: [],
    readOnlyInside: [],
    ...parts,
  });
  const sh = (text: string, changes: Parameters<SandboxGround['shell']>[1] = {}): Promise<CommandOutcome> =>
    outcomeOf(sandbox, ground.shell(text, changes));
  const inWorkspace = (name: string, content?: string): string => {
    const path = join(ground.workspace, name);
    mkdirSync(join(path, '..'), { recursive: true });
    if (content !== undefined) writeFileSync(path, content);
    return path;
  };

  it('is missing without bwrap on PATH, and refuses with the name of the package', async () => {
    const without = new BubblewrapSandbox({
      searchPath: ground.root,
      realHome: homedir(),
      stateFolder: ground.state,
    });
    expect(await without.detect()).to.include({ state: 'missing', kind: 'bubblewrap' });
    const result = await without.run(ground.job(), new AbortController().signal);
    expect(result.success || result.error).to.include({ kind: 'unavailable', reason: 'SANDBOX_UNAVAILABLE' });
    expect(result.success || result.error.message).to.include('apt install bubblewrap');
  });

  it('is looked for again: what is installed later is used without a restart', async () => {
    const programs = join(ground.root, 'programs');
    mkdirSync(programs);
    // Where the server is root, its commands are somebody else's.
    chmodSync(ground.root, 0o755);
    const later = new BubblewrapSandbox({
      searchPath: programs,
      stateFolder: ground.state,
      realHome: homedir(),
    });
    try {
      expect(await later.detect()).to.include({ state: 'missing' });
      for (const name of ['bwrap', 'setpriv', 'nsenter', 'unshare', 'sh', 'prlimit'])
        symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(programs, name));
      await eventually('a sandbox', async () => (await later.detect()).state === 'available');
    } finally {
      await later.close();
    }
  });

  it('leaves no file behind when it is closed', async () => {
    await sh('true');
    await sandbox.close();
    expect(readdirSync(ground.state)).to.deep.equal(['probe']);
  });

  it('reads what is readable, writes what is writable, and hints at the difference', async () => {
    const library = join(ground.root, 'library');
    mkdirSync(library);
    writeFileSync(join(library, 'a'), 'text');
    const outcome = await sh(`'/bin/cat' ${library}/a; '/bin/echo' x > made; '/bin/echo' x > ${library}/b`, {
      view: view({ read: [library] }),
    });
    expect(outcome.stdout).to.equal('text');
    expect(readFileSync(join(ground.workspace, 'made'), 'utf8')).to.equal('x\n');
    expect(outcome.exitCode).to.equal(1);
    expect(outcome.hint).to.include(`Writable: ${ground.workspace}, /tmp, $HOME`);
    expect(existsSync(join(library, 'b'))).to.equal(false);
  });

  it('writes one folder of a workspace that is otherwise read-only', async () => {
    mkdirSync(inWorkspace('output'));
    const paths = view({ read: [ground.workspace], write: [join(ground.workspace, 'output')] });
    const outcome = await sh("'/bin/echo' x > output/a && '/bin/echo' x > b", { view: paths });
    expect(outcome.stderr).to.include('Read-only file system');
    expect(readdirSync(ground.workspace)).to.deep.equal(['output']);
    expect(readdirSync(join(ground.workspace, 'output'))).to.deep.equal(['a']);
  });

  it('explains that the network is off', async () => {
    const outcome = await sh('exec 5<>/dev/tcp/example.invalid/80');
    expect(outcome.hint).to.include('network is off');
  });

  it('masks secrets, also when their folder is renamed', async () => {
    const hide = [
      inWorkspace('.env', 'SECRET'),
      inWorkspace('sub/.env', 'SECRET'),
      inWorkspace('.aws/key', 'SECRET'),
    ];
    hide[2] = join(ground.workspace, '.aws');
    const outcome = await sh(
      "'/bin/cat' .env sub/.env .aws/key; '/bin/mv' sub moved; '/bin/cat' moved/.env; '/bin/ln' .env hard; '/bin/cp' -r .aws copy; '/bin/cat' hard copy/key; '/bin/mv' .env other; '/bin/rm' -f .env; '/bin/cat' other .env",
      { view: view({ hide }) },
    );
    expect(outcome.stdout).to.equal('');
    expect(readFileSync(join(ground.workspace, '.env'), 'utf8')).to.equal('SECRET');
  });

  it('keeps a protected file read-only and in its place', async () => {
    const workflow = inWorkspace('.github/workflows/ci.yml', 'old');
    const readOnlyInside = [join(ground.workspace, '.github/workflows')];
    const outcome = await sh(
      "'/bin/echo' new > .github/workflows/ci.yml; '/bin/mv' .github away; '/bin/mv' .github/workflows away; '/bin/rm' -rf .github; '/bin/echo' note > .github/CODEOWNERS",
      { view: view({ readOnlyInside }) },
    );
    expect(outcome.exitCode).to.equal(0);
    expect(readFileSync(workflow, 'utf8')).to.equal('old');
    expect(readdirSync(join(ground.workspace, '.github'))).to.deep.equal(['CODEOWNERS', 'workflows']);
  });

  it('never lets bwrap create a mount point through a link (CVE-2026-87766)', async () => {
    const outside = join(ground.root, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, inWorkspace('link'));
    symlinkSync(join(outside, 'absent'), inWorkspace('dangling'));
    const under = (name: string): string => join(ground.workspace, name);
    const traps = ['link/new', 'link/sub/new', 'dangling', 'missing/deep/file'].map(under);
    const outcome = await sh('true', {
      view: view({ read: traps, write: [ground.workspace, ...traps], hide: traps, readOnlyInside: traps }),
    });
    expect(outcome.exitCode).to.equal(0);
    expect(readdirSync(outside)).to.deep.equal([]);
    expect(readdirSync(ground.workspace).sort()).to.deep.equal(['dangling', 'link']);
  });

  it('keeps HOME from one command to the next and /tmp for one command only', async () => {
    await sh("'/bin/echo' kept > \"$HOME/file\"; '/bin/echo' lost > /tmp/file");
    const outcome = await sh('\'/bin/cat\' "$HOME/file" /tmp/file');
    expect(outcome.stdout).to.equal('kept\n');
  });

  it('runs what the system offers: pipes, compilers, interpreters, git', async () => {
    const outcome = await sh(
      "'/usr/bin/printf' 'b\\na\\n' | '/usr/bin/sort' | '/usr/bin/tr' a-z A-Z; '/usr/bin/perl' -e 'print 6*7'; '/usr/bin/git' --version",
    );
    expect(outcome.stdout).to.match(/^A\nB\n42git version/);
  });

  it('runs node, which needs memory mappings, threads and a loopback', async () => {
    const node = process.execPath;
    const code =
      "const {Worker}=require('worker_threads');const s=require('net').createServer(c=>c.end('hi')).listen(0,'127.0.0.1',()=>{require('net').connect(s.address().port).on('data',d=>{new Worker('require(\"worker_threads\").parentPort.postMessage(1)',{eval:true}).on('message',m=>{console.log(String(d),m,require('child_process').execSync('echo child').toString());s.close()})})})";
    const job = ground.job({
      program: { kind: 'argv', file: node, args: ['-e', code] },
      view: view({ read: [join(node, '../..')].filter((path) => !path.startsWith('/usr')) }),
      limits: { memoryBytes: 512 * 1024 * 1024 },
    });
    const outcome = await outcomeOf(sandbox, job);
    expect(outcome.stderr).to.equal('');
    expect(outcome.stdout).to.equal('hi 1 child\n\n');
  });

  it('gives what it writes to the owner of the workspace when the server is root', async () => {
    if (process.getuid?.() !== 0) return;
    chownSync(ground.workspace, 4321, 4321);
    writeFileSync(join(ground.workspace, 'by-root'), 'x', { mode: 0o600 });
    const outcome = await sh("'/bin/echo' x > made; '/bin/cat' by-root; '/bin/echo' y > by-root");
    expect(outcome).to.include({ exitCode: 0, stdout: 'x' });
    expect(statSync(join(ground.workspace, 'made')).uid).to.equal(4321);
  });

  describe('with git', () => {
    const git = (cwd: string, ...args: string[]): string =>
      execFileSync('/usr/bin/git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd,
        encoding: 'utf8',
        stdio: 'pipe',
        env: { PATH: '/usr/bin:/bin', HOME: ground.home, GIT_CONFIG_NOSYSTEM: '1' },
      });
    const COMMIT =
      "'/bin/echo' x > file && '/usr/bin/git' add file && '/usr/bin/git' -c user.name=a -c user.email=a@b commit -qm made && '/usr/bin/git' log --format=%s";

    function gitView(workspace: string): SandboxView {
      return { read: [], write: [workspace], hide: [], readOnlyInside: protectGit(workspace) };
    }

    it('commits, and cannot touch hooks or configuration or move .git away', async () => {
      git(ground.root, 'init', '-q', ground.workspace);
      const paths = gitView(ground.workspace);
      const commit = await sh(COMMIT, { view: paths });
      expect(commit.stderr).to.equal('');
      expect(commit.stdout).to.equal('made\n');
      const configuration = readFileSync(join(ground.workspace, '.git/config'), 'utf8');
      const attacks = [
        "'/bin/echo' evil > .git/hooks/pre-commit",
        "'/usr/bin/git' config core.fsmonitor evil",
        "'/bin/mv' .git other",
        "'/bin/mv' .git/hooks .git/other",
        "'/bin/rm' .git/config",
      ];
      for (const attack of attacks)
        expect((await sh(attack, { view: paths })).exitCode, attack).not.to.equal(0);
      expect(existsSync(join(ground.workspace, '.git/hooks/pre-commit'))).to.equal(false);
      expect(readFileSync(join(ground.workspace, '.git/config'), 'utf8')).to.equal(configuration);
    });

    it('commits in a worktree whose repository lies elsewhere', async () => {
      const repository = join(ground.root, 'repository');
      git(ground.root, 'init', '-q', repository);
      git(repository, 'commit', '-q', '--allow-empty', '-m', 'first');
      git(repository, 'worktree', 'add', '-q', join(ground.workspace, 'tree'));
      const tree = join(ground.workspace, 'tree');
      const paths = { ...gitView(tree), write: [tree, join(repository, '.git')] };
      const commit = await sh(COMMIT, { view: paths, cwd: tree });
      expect(commit.stderr).to.equal('');
      expect(commit.stdout).to.equal('made\nfirst\n');
      const attack = await sh(`'/bin/echo' evil > ${repository}/.git/hooks/pre-commit`, {
        view: paths,
        cwd: tree,
      });
      expect(attack.exitCode).not.to.equal(0);
    });

    it('does not follow a .git file to a repository that does not point back', async () => {
      const victim = join(ground.root, 'victim');
      git(ground.root, 'init', '-q', victim);
      writeFileSync(join(ground.workspace, '.git'), `gitdir: ${victim}/.git\n`);
      expect(protectGit(ground.workspace)).to.deep.equal([join(ground.workspace, '.git')]);
    });

    it('protects the repositories of submodules too', async () => {
      git(ground.root, 'init', '-q', ground.workspace);
      git(ground.root, 'init', '-q', join(ground.root, 'sub'));
      mkdirSync(join(ground.workspace, '.git/modules'));
      renameSync(join(ground.root, 'sub/.git'), join(ground.workspace, '.git/modules/sub'));
      expect(protectGit(ground.workspace)).to.include(join(ground.workspace, '.git/modules/sub/hooks'));
    });
  });
});
