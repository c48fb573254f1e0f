import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { allowing } from './sample-workspace.js';
import { TemporaryDisk } from './temporary-disk.js';

/** No answer may contain it: it is in every file that nobody may read, and in no path that a case names. */
export const CANARY = 'CANARY';

const LIMITS =
  '    rate: { per: principal, limit: 100000/min }\n    limits: { concurrency: 64, timeout: 1500ms }\n';

/** A workspace full of bait, what lies around it, and the policies to attack it under. */
export class AttackGround extends TemporaryDisk {
  readonly policy = join(this.base, 'policy.yaml');
  readonly home = join(this.base, 'home');
  #server: Server | undefined;

  at(path: string): string {
    return join(this.root, path);
  }

  async lay(): Promise<void> {
    for (const path of ['secret.txt', 'folder/inner.txt', 'folder/CANARY-name']) {
      this.file(join(this.outside, path), `${CANARY} outside\n`);
    }
    this.file(join(this.home, '.ssh/id_rsa'), `${CANARY} key\n`);
    this.file(this.at('plain.txt'), 'plain text\n');
    this.file(this.at('folder/file.txt'), 'in a folder\n');
    for (const path of [
      '.env',
      'deep/.env.local',
      'server.pem',
      'private/CANARY-list.txt',
      'keys/x.secret',
    ]) {
      this.file(this.at(path), `${CANARY} ${path}\n`);
    }
    for (const path of ['.git/config', '.git/hooks/pre-commit', 'locked/kept.txt', '.vscode/tasks.json']) {
      this.file(this.at(path), 'keep me\n');
    }
    this.layLinks();
    await this.laySpecials();
  }

  layLinks(): void {
    const { outside } = this;
    this.link(this.at('l/file'), join(outside, 'secret.txt'));
    this.link(this.at('l/folder'), join(outside, 'folder'));
    this.link(this.at('l/relative'), '../../outside/secret.txt');
    this.link(this.at('l/chain1'), 'chain2');
    this.link(this.at('l/chain2'), join(outside, 'secret.txt'));
    this.link(this.at('l/loop'), 'loop');
    this.link(this.at('l/root'), '/');
    this.link(this.at('l/missing'), join(outside, 'not-there'));
    this.link(this.at('l/env'), '../.env');
    this.link(this.at('l/private'), '../private');
    this.link(this.at('l/climb'), '../folder/../../outside/secret.txt');
    this.link(this.at('l/home'), join(this.home, '.ssh'));
    this.link(this.at('l/back'), join(outside, 'back'));
    this.link(join(outside, 'back'), join(outside, 'secret.txt'));
    this.link(this.at('l/inside'), '../plain.txt');
    this.link(this.at('l/git'), '../.git');
    for (const [name, target] of [
      ['env', '.env'],
      ['pem', 'server.pem'],
      ['private', 'private/CANARY-list.txt'],
      ['secret', 'keys/x.secret'],
    ] as const) {
      mkdirSync(this.at('h'), { recursive: true });
      linkSync(this.at(target), this.at(`h/${name}`));
    }
    linkSync(join(this.home, '.ssh/id_rsa'), this.at('h/key'));
    linkSync(this.at('plain.txt'), this.at('h/honest'));
    this.file(join(this.outside, 'appended.txt'), 'not for you to change\n');
    linkSync(join(this.outside, 'appended.txt'), this.at('h/outside'));
  }

  async laySpecials(): Promise<void> {
    mkdirSync(this.at('s'));
    execFileSync('mkfifo', [this.at('s/pipe'), this.at('s/other')]);
    this.link(this.at('s/to-pipe'), 'pipe');
    this.link(this.at('s/zero'), '/dev/zero');
    this.link(this.at('s/tty'), '/dev/tty');
    this.link(this.at('s/proc'), '/proc');
    this.link(this.at('s/environ'), '/proc/self/environ');
    this.link(this.at('s/cwd'), '/proc/self/cwd');
    this.link(this.at('s/fd'), '/proc/self/fd');
    this.link(this.at('s/sys'), '/sys/kernel');
    this.link(this.at('s/to-socket'), 'socket');
    const file = openSync(this.at('sparse'), 'w');
    ftruncateSync(file, 100e9);
    closeSync(file);
    this.#server = createServer();
    await new Promise<void>((resolve) => this.#server?.listen(this.at('s/socket'), resolve));
  }

  /** The policy of the suite: the workspace, without some of it. */
  everydayPolicy(): void {
    const denied = { read_file: 'private, "**/*.secret"', write_file: 'locked, private, "**/*.secret"' };
    let text = allowing('.', LIMITS);
    for (const [tool, paths] of Object.entries(denied)) {
      text = text.replace(`  ${tool}:\n`, `  ${tool}:\n    denied_paths: [${paths}]\n`);
    }
    writeFileSync(this.policy, text);
  }

  /** Everything on the disk but what is outside: only the guards stand between a link and its target. */
  permissivePolicy(): void {
    const denied = `    denied_paths: ["${this.outside}", "${this.home}"]\n`;
    writeFileSync(this.policy, allowing('"*"', LIMITS + denied));
  }

  /** All that no attack may change, as one text. */
  untouchable(): string {
    const kept = [
      this.outside,
      this.home,
      this.at('.git'),
      this.at('.vscode'),
      this.at('locked'),
      this.at('private'),
    ];
    return [
      ...kept.flatMap(dump),
      ...['.env', 'server.pem', 'deep/.env.local'].flatMap((path) => dump(this.at(path))),
    ].join('\n');
  }

  async leave(): Promise<void> {
    await new Promise((resolve) =>
      this.#server === undefined ? resolve(undefined) : this.#server.close(resolve),
    );
    this.dispose();
  }
}

function dump(path: string): readonly string[] {
  if (!existsSync(path)) return [`${path} missing`];
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return [`${path} -> ${readlinkSync(path)}`];
  if (stats.isDirectory())
    return readdirSync(path)
      .sort()
      .flatMap((name) => dump(join(path, name)));
  return [`${path} ${stats.mode} ${stats.isFile() ? readFileSync(path, 'latin1') : 'special'}`];
}
