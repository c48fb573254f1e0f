import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attack } from './attack-lines.js';

export const CANARY = 'canary-of-the-outside';

/** A workspace full of traps, and a folder beside it in which nothing may ever change. */
export class AttackGround {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-attack-')));
  readonly workspace = join(this.root, 'workspace');
  readonly outside = join(this.root, 'outside');
  readonly state = join(this.root, 'state');
  readonly #before: readonly string[];

  constructor() {
    chmodSync(this.root, 0o755);
    for (const folder of ['workspace/bin', 'outside', 'state'])
      mkdirSync(join(this.root, folder), { recursive: true });
    chmodSync(this.outside, 0o777);
    writeFileSync(join(this.outside, 'secret'), `${CANARY}\n`);
    this.#plantPrograms();
    this.#plantNames();
    this.#plantRepositories();
    this.#before = this.picture();
  }

  policy(name: string, text: string): string {
    const file = join(this.root, name);
    writeFileSync(file, text.replaceAll('@O', this.outside));
    return file;
  }

  /** The attack with its places filled in. */
  aim(attack: string | Attack, number: number): Record<string, unknown> {
    const whole: Attack = typeof attack === 'string' ? { command: attack } : attack;
    const aimed = JSON.stringify(whole)
      .replaceAll('@T', join(this.outside, `pwn-${number}`))
      .replaceAll('@S', join(this.outside, 'secret'))
      .replaceAll('@O', this.outside);
    return JSON.parse(aimed);
  }

  /** Everything that was not there before, or is not there any more. */
  changes(): readonly string[] {
    const after = this.picture();
    return [
      ...after.filter((line) => !this.#before.includes(line)),
      ...this.#before.filter((line) => !after.includes(line)).map((line) => `gone: ${line}`),
    ];
  }

  /** Names, kinds and contents; git's own index is refreshed by looking. */
  picture(): readonly string[] {
    return [this.workspace, this.outside].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => join(folder, name))
        .filter((path) => !/\.git\/(index|objects|hooks$)|\/index(\.lock)?$/.test(path))
        .map((path) => {
          const found = lstatSync(path);
          const mode = (found.mode & 0o777).toString(8);
          return `${path} ${mode} ${found.isFile() ? readFileSync(path, 'base64').slice(0, 400) : ''}`;
        }),
    );
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** A program that leaves a trace of its having run. */
  #trap(path: string): string {
    const name = path.replaceAll('/', '_');
    writeFileSync(path, `#!/bin/sh\n: > ${this.outside}/pwn-by-${name.slice(-20)}\ncat 2>/dev/null\n`);
    chmodSync(path, 0o755);
    return path;
  }

  #plantPrograms(): void {
    for (const name of ['ls', 'bin/ls', 'evil.sh', 'evil.so', 'git-evil', 'sh'])
      this.#trap(join(this.workspace, name));
    this.#trap(join(this.outside, 'ls'));
    symlinkSync('/usr/bin/touch', join(this.workspace, 'link-to-touch'));
    writeFileSync(join(this.workspace, 'evil.mk'), `all:\n\ttouch ${this.outside}/pwn-make\n`);
    writeFileSync(
      join(this.workspace, 'package.json'),
      JSON.stringify({ name: 'x', scripts: { evil: `touch ${this.outside}/pwn-npm` } }),
    );
    execFileSync('tar', ['-cf', 'evil.tar', 'evil.sh'], { cwd: this.workspace });
  }

  /** Files whose names are options. */
  #plantNames(): void {
    writeFileSync(join(this.workspace, 'a.txt'), 'x\nhello\n');
    writeFileSync(join(this.workspace, 'names0'), `${this.outside}/secret\0`);
    for (const name of [
      '-delete',
      '-exec',
      '--output=pwn',
      '-opwn',
      '--compress-program=.',
      '--ext-diff',
      '-fprint',
      ';',
    ]) {
      writeFileSync(join(this.workspace, name), 'x\n');
    }
  }

  #plantRepositories(): void {
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], { cwd, stdio: 'pipe' });
    for (const name of ['', 'sub']) {
      const folder = join(this.workspace, name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'a.txt'), 'x\n');
      git(folder, 'init', '-q');
      git(folder, 'add', 'a.txt');
      git(folder, 'commit', '-qm', 'one');
      writeFileSync(join(folder, 'a.txt'), 'x\nhello\n');
      writeFileSync(join(folder, '.gitattributes'), '*.txt filter=evil diff=evil\n*.x diff=other\n');
      writeFileSync(
        join(folder, '.git/config'),
        readFileSync(join(folder, '.git/config'), 'utf8') + this.#evilConfig(),
      );
      writeFileSync(join(folder, '.git/evil.inc'), `[filter "evil"]\n\tclean = ${this.workspace}/evil.sh\n`);
    }
    const bare = join(this.workspace, 'bare');
    execFileSync('git', ['init', '-q', '--bare', bare]);
    writeFileSync(join(bare, 'config'), readFileSync(join(bare, 'config'), 'utf8') + this.#evilConfig());
  }

  #evilConfig(): string {
    const evil = `${this.workspace}/evil.sh`;
    return `[core]\n\tfsmonitor = ${evil}\n\tpager = ${evil}\n\thooksPath = ${this.workspace}\n\tsshCommand = ${evil}\n[diff]\n\texternal = ${evil}\n[diff "evil"]\n\ttextconv = ${evil}\n\tcommand = ${evil}\n[alias]\n\tevil = !${evil}\n[gpg]\n\tprogram = ${evil}\n[log]\n\tshowSignature = true\n[include]\n\tpath = evil.inc\n[remote "origin"]\n\turl = .\n\tuploadpack = ${evil}\n`;
  }
}
