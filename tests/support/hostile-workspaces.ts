import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ORDINARY_USER } from './ordinary-user.js';

/** Stands outside every workspace; no answer and no message may show it. */
export const SECRET = 'OUTSIDE_SECRET_4c1e';

/** A file that the server opens by itself, and what else must be there for it to do so. */
interface OpenedFile {
  readonly name: string;
  readonly path: string;
  readonly beside?: Readonly<Record<string, string>>;
  /** With a policy under which commands run, so that repositories are looked at. */
  readonly commands?: true;
}

const SETTINGS =
  'categories:\n  docs: { dir: docs, patterns: ["*.md"] }\n  patterns: { dir: rules, patterns: ["*.md"] }\nprompts: { dir: prompts }\n';

const FILES: readonly OpenedFile[] = [
  { name: 'the policy', path: 'permissions.yaml' },
  { name: 'the policy in config', path: 'config/permissions.yaml' },
  {
    name: 'what a policy extends',
    path: 'base.yaml',
    beside: { 'permissions.yaml': 'extends: [./base.yaml]\n' },
  },
  { name: 'the settings', path: 'castellan.yaml' },
  { name: 'the settings in config', path: 'config/castellan.yaml' },
  { name: 'the flags', path: '.castellan/flags.json' },
  { name: 'the lock of the flags', path: '.castellan/flags.json.lock' },
  { name: 'a prompt', path: 'prompts/a.json', beside: { 'castellan.yaml': SETTINGS } },
  { name: 'a document', path: 'docs/a.md', beside: { 'castellan.yaml': SETTINGS } },
  { name: 'a pattern', path: 'rules/p.md', beside: { 'castellan.yaml': SETTINGS } },
  { name: 'ignore rules', path: '.gitignore' },
  { name: 'a repository', path: '.git', commands: true },
  {
    name: "a repository's configuration",
    path: '.git/config',
    beside: { '.git/HEAD': 'ref: refs/heads/main\n' },
    commands: true,
  },
  {
    name: 'a pointer back to a worktree',
    path: 'x/gitdir',
    beside: { '.git': 'gitdir: x\n', 'x/commondir': '..\n' },
    commands: true,
  },
  {
    name: 'the common folder of a worktree',
    path: 'x/commondir',
    beside: { '.git': 'gitdir: x\n', 'x/gitdir': '../.git\n' },
    commands: true,
  },
];

/** What listens is closed in the end. */
type Make = (path: string, root: string, listen: (server: Server) => void) => void;

const KINDS: Readonly<Record<string, Make>> = {
  'a named pipe': (path) => execFileSync('mkfifo', [path]),
  'a socket': (path, _, listen) => listen(createServer().listen(path)),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a link to a secret outside': (path, root) => symlinkSync(join(root, 'secret'), path),
  'a dangling link': (path) => symlinkSync('nowhere', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a folder': (path) => mkdirSync(path),
  'a sparse file of 5 GB': (path) => sparse(path),
  'no UTF-8': (path) => writeFileSync(path, Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe, 0x00, 0x0a])),
  'nested deeply': (path) => writeFileSync(path, `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  'not readable': (path) => {
    writeFileSync(path, `${SECRET}: 1\n`);
    chmodSync(path, 0);
  },
};

export interface HostileWorkspace {
  readonly title: string;
  readonly file: OpenedFile;
  readonly make: Make;
}

/** Each file that the server opens, as each of the things that it should not be. */
export const HOSTILE_WORKSPACES: readonly HostileWorkspace[] = FILES.flatMap((file) =>
  Object.entries(KINDS).map(([kind, make]) => ({ title: `${file.name} as ${kind}`, file, make })),
);

/** Every file once, and every kind: for the short run. */
export const EACH_ONCE: readonly HostileWorkspace[] = FILES.flatMap((_, row) => {
  const kinds = Object.keys(KINDS).length;
  return HOSTILE_WORKSPACES.slice(row * kinds + (row % kinds), row * kinds + (row % kinds) + 1);
});

/** A workspace on the disk, with everything that the server writes kept beside it. */
export class HostileGround {
  readonly root = mkdtempSync(join(tmpdir(), 'castellan-hostile-'));
  readonly workspace = join(this.root, 'workspace');
  readonly env: NodeJS.ProcessEnv;
  readonly args: readonly string[];
  #server: Server | undefined;

  constructor({ file, make }: HostileWorkspace) {
    const policy = join(this.root, 'commands.yaml');
    for (const name of ['workspace', 'home', 'state', 'config']) mkdirSync(join(this.root, name));
    writeFileSync(join(this.root, 'secret'), `${SECRET}\n${SECRET}: 2\n`);
    writeFileSync(policy, 'extends: [builtin:workspace]\n');
    const beside = { 'a.txt': 'hello\n', ...file.beside };
    for (const [path, text] of Object.entries(beside)) writeFileSync(this.#at(path), text);
    make(this.#at(file.path), this.root, (server) => {
      this.#server = server.unref();
    });
    this.env = {
      HOME: join(this.root, 'home'),
      XDG_STATE_HOME: join(this.root, 'state'),
      XDG_CONFIG_HOME: join(this.root, 'config'),
    };
    this.args = ['serve', '--workspace', this.workspace, ...(file.commands ? ['--policy', policy] : [])];
    if (ORDINARY_USER !== undefined) this.#handOver(ORDINARY_USER);
  }

  /** As an ordinary user where the tests run as root, who may read everything. */
  get uid(): number | undefined {
    return ORDINARY_USER;
  }

  remove(): void {
    this.#server?.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  #at(path: string): string {
    const place = join(this.workspace, path);
    mkdirSync(dirname(place), { recursive: true });
    return place;
  }

  #handOver(user: number): void {
    execFileSync('chown', ['-Rh', `${user}:${user}`, this.root]);
    chownSync(this.root, user, user);
  }
}

function sparse(path: string): void {
  const descriptor = openSync(path, 'w');
  ftruncateSync(descriptor, 5_000_000_000);
  closeSync(descriptor);
}
