import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every setting of git that runs a program; `@` stands for the program. */
const SETTINGS = `
[core]
	fsmonitor = @fsmonitor
	hooksPath = @hooks
	sshCommand = @ssh
	gitProxy = @proxy
	askPass = @askpass
	editor = @editor
	pager = @pager
	alternateRefsCommand = @alternates
[pager]
	log = @pager-log
	diff = @pager-diff
	status = @pager-status
[sequence]
	editor = @sequence
[diff]
	external = @diff-external
	submodule = diff
[diff "evil"]
	command = @diff-command
	textconv = @textconv
[filter "evil"]
	clean = @clean
	smudge = @smudge
	required = true
[filter "a=b.c"]
	process = @process
[merge]
	verifySignatures = true
[merge "evil"]
	driver = @merge %A
[gpg]
	program = @gpg
[gpg "openpgp"]
	program = @gpg-openpgp
[gpg "ssh"]
	program = @gpg-ssh
	defaultKeyCommand = @gpg-key
[commit]
	gpgSign = true
[tag]
	forceSignAnnotated = true
	gpgSign = true
[log]
	showSignature = true
[pretty]
	sig = %G? %GS
[credential]
	helper = @credential
[credential "https://127.0.0.1:9"]
	helper = @credential-url
[man]
	viewer = evil
[man "evil"]
	cmd = @man
[browser "evil"]
	cmd = @browser
[help]
	format = web
	browser = evil
	autocorrect = immediate
[trailer "x"]
	command = @trailer
	cmd = @trailer-cmd
[interactive]
	diffFilter = @interactive
[alias]
	evil = !@alias
[status]
	submoduleSummary = true
[submodule]
	recurse = true
[uploadpack]
	packObjectsHook = @pack
[remote "origin"]
	url = ../target
	fetch = +refs/heads/*:refs/remotes/origin/*
	uploadpack = @uploadpack
	receivepack = @receivepack
[remote "ext"]
	url = ext::@ext
[remote "vcs"]
	url = x
	vcs = evil
[remote "ssh"]
	url = ssh://127.0.0.1:9/x
[remote "git"]
	url = git://127.0.0.1:9/x
[remote "https"]
	url = https://127.0.0.1:9/x
`;

const HOOKS =
  'pre-commit commit-msg prepare-commit-msg post-commit post-checkout post-merge pre-push pre-rebase post-rewrite post-index-change reference-transaction pre-receive update post-receive post-update push-to-checkout fsmonitor-watchman pre-merge-commit applypatch-msg';

/** A workspace in which everything that git would run leaves a trace outside. */
export class HostileRepository {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-hostile-')));
  readonly workspace = join(this.root, 'workspace');
  readonly traces = join(this.root, 'traces');
  readonly state = join(this.root, 'state');

  constructor() {
    for (const folder of [this.workspace, this.traces, this.state]) mkdirSync(folder);
    chmodSync(this.traces, 0o777);
    this.#repository(this.workspace);
    this.#repository(join(this.workspace, 'nested'));
    this.#repository(join(this.root, 'target'));
    this.#git(this.workspace, 'add', 'nested');
    this.#git(this.workspace, 'commit', '-qm', 'nested');
    writeFileSync(join(this.workspace, 'nested/a.txt'), 'changed\n');
    // Not a part of the outer repository yet.
    this.#repository(join(this.workspace, 'odd\tname'));
    writeFileSync(join(this.workspace, 'odd\tname/a.txt'), 'changed\n');
    for (const folder of ['workspace', 'workspace/nested', 'workspace/odd\tname', 'target'])
      this.#poison(join(this.root, folder));
  }

  policy(text: string): string {
    const file = join(this.root, 'policy.yaml');
    writeFileSync(file, text);
    return file;
  }

  /** What ran. */
  ran(): readonly string[] {
    return readdirSync(this.traces).sort();
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #git(cwd: string, ...args: readonly string[]): void {
    const identity = ['-c', 'user.name=n', '-c', 'user.email=e@x', '-c', 'advice.addEmbeddedRepo=false'];
    execFileSync('git', [...identity, ...args], { cwd, stdio: 'pipe' });
  }

  #repository(folder: string): void {
    mkdirSync(folder, { recursive: true });
    this.#git(folder, 'init', '-q', '-b', 'main');
    for (const name of ['a.txt', 'b.bin', 'c.x']) writeFileSync(join(folder, name), `${name}\n`);
    this.#git(folder, 'add', '.');
    this.#git(folder, 'commit', '-qm', 'one');
    this.#git(folder, 'checkout', '-qb', 'other');
    writeFileSync(join(folder, 'a.txt'), 'theirs\n');
    this.#git(folder, 'commit', '-qam', 'two');
    this.#git(folder, 'checkout', '-q', 'main');
    writeFileSync(join(folder, 'a.txt'), 'ours\n');
    this.#git(folder, 'commit', '-qam', 'three');
    this.#signedCommit(folder);
    writeFileSync(join(folder, 'a.txt'), 'in the working tree\n');
  }

  /** A signature that a program would have to verify. */
  #signedCommit(folder: string): void {
    const read = (...args: readonly string[]): string =>
      execFileSync('git', [...args], { cwd: folder, encoding: 'utf8' }).trim();
    const body = `tree ${read('rev-parse', 'HEAD^{tree}')}\nparent ${read('rev-parse', 'HEAD')}\nauthor n <e@x> 1 +0000\ncommitter n <e@x> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n`;
    const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: folder,
      input: body,
    });
    this.#git(folder, 'update-ref', 'refs/heads/main', id.toString().trim());
  }

  /** Some settings are given to a shell and some are not, so it is a program that takes any arguments. */
  #trap(name: string): string {
    const path = join(this.root, `run-${name}`);
    writeFileSync(path, `#!/bin/sh\ntouch ${this.traces}/${name}\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  }

  #poison(folder: string): void {
    const label = folder.slice(this.root.length + 1).replaceAll(/\W/g, '-');
    const settings = SETTINGS.replace('@hooks', join(folder, '.git/hooks'))
      .replace('ext::@ext', `"ext::touch ${this.traces}/${label}-ext"`)
      .replace(/@([\w-]+)/g, (_, name: string) => this.#trap(`${label}-${name}`));
    appendFileSync(join(folder, '.git/config'), settings);
    writeFileSync(
      join(folder, '.git/info/attributes'),
      '*.txt filter=evil diff=evil merge=evil\n*.bin filter=a=b.c diff=evil\n',
    );
    for (const name of HOOKS.split(' ')) {
      const hook = join(folder, '.git/hooks', name);
      writeFileSync(hook, `#!/bin/sh\ntouch ${this.traces}/${label}-hook-${name}\n`);
      chmodSync(hook, 0o755);
    }
    const alternates = join(folder, '.git/objects/info');
    mkdirSync(alternates, { recursive: true });
    writeFileSync(join(alternates, 'alternates'), `${this.root}/target/.git/objects\n`);
  }
}
