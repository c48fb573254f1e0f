import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';
import { GitGround } from '../support/git-ground.js';
import { type MadeEntry, madeExtension, madeIndex } from '../support/made-index.js';
import { ORDINARY_USER } from '../support/ordinary-user.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;
const PROGRAM = 0o100755;

interface Planted {
  readonly name: string;
  /** `blob`: of the hook. */
  readonly index: (made: { readonly blob: string }) => Buffer;
  /** Whose index it is to become. */
  readonly where?: string;
  readonly prepare?: (ground: GitGround) => void;
  /** How `crafted` becomes the index. */
  readonly plant?: string;
  /** Where the user works. */
  readonly folder?: string;
}

const HOOK = '.git/hooks/post-checkout';
const hook = (path: string, blob: string): MadeEntry => ({ path, blob, mode: PROGRAM });

/** Makes an index with the hook, one byte shorter than the real one is long, so that it fits into a mapping of it. */
const IN_MEMORY = `python3 -c '
import mmap, os
new = open("crafted", "rb").read()
f = open(".git/index", "r+b"); f.truncate(len(new)); f.flush()
m = mmap.mmap(f.fileno(), len(new)); m[:] = new'`;

const PLANTED: readonly Planted[] = [
  { name: 'a hook', index: ({ blob }) => madeIndex([hook(HOOK, blob)]) },
  {
    name: 'a hook of another worktree',
    prepare: (ground) => void ground.git('worktree', 'add', '-q', 'tree', 'topic'),
    where: '.git/worktrees/tree/index',
    folder: 'tree',
    index: ({ blob }) => madeIndex([hook(`../${HOOK}`, blob)]),
  },
  {
    name: 'a hook of a nested repository',
    prepare: (ground) => void ground.git('clone', '-q', '.', 'nested'),
    where: 'nested/.git/index',
    folder: 'nested',
    index: ({ blob }) => madeIndex([hook(HOOK, blob)]),
  },
  {
    name: 'a file outside',
    index: ({ blob }) => madeIndex([hook('../outside/pwned', blob)]),
  },
  { name: 'a hook, in memory', index: ({ blob }) => madeIndex([hook(HOOK, blob)]), plant: IN_MEMORY },
  {
    name: 'a hook, under another name',
    index: ({ blob }) => madeIndex([hook(HOOK, blob)]),
    plant: 'ln .git/index .git/other && cat crafted > .git/other',
  },
  {
    name: 'a hook in the shared part',
    index: ({ blob }) => madeIndex([hook(HOOK, blob)]),
    plant: `S=$(tail -c 20 crafted | od -An -v -tx1 | tr -d ' \\n'); cp crafted .git/sharedindex.$S; cp split .git/index`,
  },
];

describe('An index that a command makes by hand', function () {
  this.timeout(120_000);
  const closing: (() => void | Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  function ground(uid?: number): GitGround {
    const made = new GitGround(uid);
    closing.push(() => made.remove());
    return made;
  }

  async function serve(made: GitGround, uid?: number): Promise<CommandClient> {
    const place = { workspace: made.workspace, state: made.state };
    const client = await CommandClient.start(place, made.policy(POLICY), { HOME: made.home }, uid);
    closing.push(() => client.stop());
    return client;
  }

  /** Writes `crafted` and `split` into the workspace, from where a command may put them anywhere. */
  function craft(made: GitGround, { index, prepare, where = '.git/index' }: Planted): void {
    prepare?.(made);
    made.write('ws/hook', `#!/bin/sh\ntouch ${made.canary}\n`);
    const repository = join(made.workspace, where.startsWith('nested') ? 'nested' : '.');
    const blob = made.sh(['git', '-C', repository, 'hash-object', '-w', join(made.workspace, 'hook')]).trim();
    const bytes = index({ blob });
    writeFileSync(join(made.workspace, 'crafted'), bytes);
    const link = madeExtension('link', Buffer.concat([bytes.subarray(-20), Buffer.from(EMPTY_MAPS, 'hex')]));
    writeFileSync(join(made.workspace, 'split'), madeIndex([], [link]));
    made.own();
  }

  function asUser(made: GitGround, folder = '.'): void {
    const place = join(made.workspace, folder);
    for (const line of ['git checkout .', 'git restore .', 'git checkout -q -b other'])
      made.sh(['sh', '-c', line], place);
  }

  for (const one of PLANTED) {
    const { name, where = '.git/index', plant = `cp crafted ${where}`, folder } = one;

    it(`runs something without Castellan: ${name}`, () => {
      const made = ground();
      craft(made, one);
      made.sh(['bash', '-c', plant]);
      asUser(made, folder);
      expect(made.wasRun).to.equal(true);
    });

    for (const uid of ORDINARY_USER === undefined ? [undefined] : [undefined, ORDINARY_USER]) {
      it(`stays inside or is put aside${uid === undefined ? '' : ' for an ordinary user'}: ${name}`, async () => {
        const made = ground(uid);
        craft(made, one);
        const before = made.sh(['git', 'ls-files', '-s'], join(made.workspace, folder ?? '.'));
        const client = await serve(made, uid);
        const reply = await client.run({ command: 'bash', stdin: plant });
        // Of the own repository it stays in the git folder that commands have; another is taken away.
        expect(reply.message ?? reply.error, JSON.stringify(reply)).to.match(
          /which git would not have made|index stays inside/,
        );
        expect(made.sh(['git', 'ls-files', '-s'], join(made.workspace, folder ?? '.'))).to.equal(before);
        asUser(made, folder);
        expect(made.wasRun).to.equal(false);
        expect(existsSync(join(made.workspace, HOOK))).to.equal(false);
      });
    }
  }

  it('stays inside while a process in the background goes on, and what the user staged is still staged', async () => {
    const made = ground();
    craft(made, { name: '', index: ({ blob }) => madeIndex([hook(HOOK, blob)]) });
    made.write('ws/plant.sh', 'cp crafted .git/index; touch planted; until [ -e go ]; do sleep 0.05; done');
    made.write('ws/staged.txt', 'staged\n');
    made.git('add', 'staged.txt');
    const client = await serve(made);
    const reply = await client.run({ command: 'bash plant.sh', background: true });
    expect(reply.success, JSON.stringify(reply)).to.equal(true);
    await eventually('the index was planted', () => existsSync(join(made.workspace, 'planted')));
    // What is done later is carried, so that the planted index was met on the way.
    await client.run('git tag carried');
    expect(made.git('tag', '--list', 'carried')).to.equal('carried\n');
    expect(made.git('diff', '--cached', '--name-only')).to.equal('staged.txt\n');
    asUser(made);
    expect(made.wasRun).to.equal(false);
    expect(existsSync(join(made.workspace, HOOK))).to.equal(false);
    writeFileSync(join(made.workspace, 'go'), '');
  });

  it('stays inside where the server was killed before it looked', async () => {
    const made = ground();
    craft(made, { name: '', index: ({ blob }) => madeIndex([hook(HOOK, blob)]) });
    const first = await serve(made);
    await first.run('true');
    await first.server.signal('SIGKILL');
    const [inside = ''] = made.sh(['find', made.state, '-path', '*/git/index']).split('\n');
    copyFileSync(join(made.workspace, 'crafted'), inside);
    const next = await serve(made);
    const reply = await next.run('true');
    expect(reply.message ?? reply.error, JSON.stringify(reply)).to.contain('index stays inside');
    asUser(made);
    expect(made.wasRun).to.equal(false);
    expect(existsSync(join(made.workspace, HOOK))).to.equal(false);
  });

  it('is left alone where it was strange before any command', async () => {
    const made = ground();
    craft(made, { name: '', index: () => madeIndex([{ path: '.GIT/x' }]) });
    copyFileSync(join(made.workspace, 'crafted'), join(made.workspace, '.git/index'));
    const client = await serve(made);
    await client.run('true');
    const bytes = readFileSync(join(made.workspace, '.git/index'));
    expect(bytes.equals(readFileSync(join(made.workspace, 'crafted')))).to.equal(true);
  });
});

/** Two empty bitmaps, of what is deleted and what is replaced. */
const EMPTY_MAPS = '0000000000000000000000000000000000000000000000000000000000000000'.slice(0, 48);

const BARE = 'git clone -q --bare . b.git';

/** Ways to make the user's next push or fetch go to a repository in the workspace. */
const LOCAL: readonly (readonly [name: string, line: string])[] = [
  ['remote.origin.url', 'git config remote.origin.url ./b.git'],
  ['remote.origin.pushurl', 'git config remote.origin.pushurl @W/b.git'],
  ['a new remote', 'git remote add backup file://@W/b.git'],
  ['the address of a remote', 'git remote set-url origin b.git'],
  ['branch.main.remote', 'git config branch.main.remote ./b.git'],
  ['branch.main.pushRemote, a name without a remote', 'git config branch.main.pushRemote b.git'],
  ['remote.pushDefault', 'git config remote.pushDefault ./b.git'],
  ['a remote without its address', 'git config branch.main.remote b.git'],
];

describe('An address of a remote that is a path', function () {
  this.timeout(120_000);
  let made: GitGround;
  let client: CommandClient | undefined;

  afterEach(async () => {
    await client?.stop();
    made.remove();
  });

  async function serve(): Promise<CommandClient> {
    made = new GitGround();
    made.git('remote', 'add', 'origin', 'ssh://nowhere.example/x.git');
    client = await CommandClient.start(
      { workspace: made.workspace, state: made.state },
      made.policy(POLICY),
      { HOME: made.home },
    );
    return client;
  }

  for (const [name, line] of LOCAL) {
    it(`stays inside, and the answer says so: ${name}`, async () => {
      const server = await serve();
      const config = join(made.workspace, '.git/config');
      const before = readFileSync(config, 'utf8');
      await server.run(BARE);
      const reply = await server.run(line.replace('@W', made.workspace));
      expect(reply.message, JSON.stringify(reply)).to.contain("stays out of the user's git folder");
      expect(readFileSync(config, 'utf8')).to.equal(before);
    });
  }

  it('may be of a host, and one that the user gave may be renamed and removed', async () => {
    const server = await serve();
    made.git('remote', 'add', 'local', './b.git');
    for (const line of [
      'git remote add a https://example.com/x.git',
      'git remote add b git@example.com:x.git',
      'git remote set-url origin ssh://git@example.com/y.git',
      'git config branch.main.remote a',
      'git config branch.topic.remote .',
      'git remote rename local other',
      'git remote remove other',
    ]) {
      const reply = await server.run(line);
      expect(reply.value?.exit_code, `${line}: ${JSON.stringify(reply)}`).to.equal(0);
    }
    expect(made.git('remote')).to.equal('a\nb\norigin\n');
  });
});
