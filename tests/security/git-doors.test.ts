import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { CommandClient, type CommandReply, MANY_CALLS } from '../support/command-client.js';
import { DOOR_ATTACKS, type DoorAttack } from '../support/git-door-attacks.js';
import { GitGround } from '../support/git-ground.js';
import { HONEST_FLOWS } from '../support/honest-git-flows.js';
import { ORDINARY_USER } from '../support/ordinary-user.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;
const IS_LONG = process.env.CASTELLAN_LONG === '1';
const IDENTITY =
  'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b;';

/** Every `step`th; all of them in the long run. */
function some<T>(all: readonly T[], step: number): readonly T[] {
  return IS_LONG ? all : all.filter((_, index) => index % step === 0);
}

const TIDYING = /^git worktree (remove|move) [\w ]+$/;
/** The same in the sandbox and beside it. */
const PLAIN = `${IDENTITY} export GIT_AUTHOR_DATE=2030-01-01T00:00:00Z GIT_COMMITTER_DATE=2030-01-01T00:00:00Z;`;

describe("Git's doors", function () {
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

  async function serve(made: GitGround, uid?: number, workspace = made.workspace): Promise<CommandClient> {
    const place = { workspace, state: made.state };
    const client = await CommandClient.start(place, made.policy(POLICY), { HOME: made.home }, uid);
    closing.push(() => client.stop());
    return client;
  }

  function asUser(made: GitGround, { user, where = '.' }: DoorAttack): void {
    for (const line of user) made.sh(['sh', '-c', line], join(made.workspace, where));
  }

  async function attack(made: GitGround, one: DoorAttack, uid?: number): Promise<readonly CommandReply[]> {
    one.setup?.(made);
    made.own();
    const client = await serve(made, uid);
    const replies: CommandReply[] = [];
    for (const script of one.scripts)
      replies.push(
        await client.run({ command: 'bash', stdin: IDENTITY + script.replaceAll('@C', made.canary) }),
      );
    asUser(made, one);
    return replies;
  }

  describe('without Castellan', () => {
    for (const one of some(DOOR_ATTACKS, 12)) {
      it(`can be opened: ${one.name}`, () => {
        const made = ground();
        one.setup?.(made);
        for (const script of one.scripts)
          made.sh(['bash', '-c', IDENTITY + script.replaceAll('@C', made.canary)]);
        asUser(made, one);
        expect(made.wasRun).to.equal(true);
      });
    }
  });

  describe('stay shut', () => {
    for (const one of some(DOOR_ATTACKS, 8)) {
      it(one.name, async () => {
        const made = ground();
        const replies = await attack(made, one);
        expect(made.wasRun, JSON.stringify(replies)).to.equal(false);
      });
    }
  });

  describe('stay shut for a server that is not root', () => {
    // Only root can start a server as somebody else.
    for (const one of ORDINARY_USER === undefined ? [] : some(DOOR_ATTACKS, 24)) {
      it(one.name, async () => {
        const made = ground(ORDINARY_USER);
        const replies = await attack(made, one, ORDINARY_USER);
        expect(made.wasRun, JSON.stringify(replies)).to.equal(false);
      });
    }
  });

  it('of the own repository are out of reach, whatever a command does to the git folder that it has', async () => {
    const made = ground();
    const client = await serve(made);
    const script =
      'cp -r .git/objects .git/refs .; cp .git/HEAD HEAD; rm -rf .git/* || true; git init -q other';
    const reply = await client.run({ command: 'bash', stdin: script });
    expect(reply.message).to.contain('was destroyed inside the sandbox');
    expect(made.git('rev-parse', '--abbrev-ref', 'HEAD')).to.equal('main\n');
    const next = await client.run('git log --format=%H');
    expect(next.value?.stdout).to.equal(made.git('log', '--format=%H'));
  });

  it('leave what was taken away where the answer says, and nothing else behind', async () => {
    const made = ground();
    const client = await serve(made);
    const script =
      'git init -q nested; mkdir -p nested/.git/remotes; echo URL: x > nested/.git/remotes/o; sleep 100';
    const reply = await client.run({ command: 'bash', stdin: script });
    expect(reply.error_details?.reason).to.equal('PROTECTED');
    const kept = /It is now in (\S+)\. /.exec(`${reply.error} `)?.[1] ?? '';
    expect(readFileSync(kept, 'utf8')).to.equal('URL: x\n');
    expect(existsSync(join(made.workspace, 'nested/.git/remotes/o'))).to.equal(false);
  });

  /** Changes `nested/.git/config` in ways that no watch on its folder tells of. */
  const SILENT = {
    'in memory':
      'f = open("nested/.git/config", "r+b"); m = mmap.mmap(f.fileno(), 0); at = m.find(b"#"); m[at:at + len(EVIL)] = EVIL',
    'under another name':
      'os.link("nested/.git/config", "other"); f = open("other", "r+b"); f.seek(f.read().find(b"#")); f.write(EVIL)',
  };
  for (const [how, change] of Object.entries(SILENT)) {
    it(`are judged by what they hold: a configuration that is changed ${how}`, async () => {
      const made = ground();
      const client = await serve(made);
      await client.run({
        command: 'bash',
        stdin: "git init -q nested; printf '#%0300d\\n' 0 >> nested/.git/config",
      });
      // Long enough that what is known of the repository is not looked at again.
      for (let idle = 0; idle < 3; idle += 1) await client.run('sleep 0.1');
      const evil = `EVIL = b'[core]\\n\\tfsmonitor = "touch ${made.canary}; false"\\n#'`;
      const reply = await client.run({
        command: 'python3',
        args: ['-c', `import mmap, os\n${evil}\n${change}`],
      });
      made.sh(['git', 'status'], join(made.workspace, 'nested'));
      expect(made.wasRun, JSON.stringify(reply)).to.equal(false);
      expect(reply.message ?? reply.error, JSON.stringify(reply)).to.contain('core.fsmonitor');
    });
  }

  it('are kept shut against a pipe that would never be read', async () => {
    const made = ground();
    const client = await serve(made);
    const script =
      'mkdir -p x/g n/.git; mkfifo x/g/gitdir x/g/commondir n/.git/config; echo "gitdir: g" > x/.git; cp .git/HEAD x/g';
    await client.run({ command: 'bash', stdin: script });
    const reply = await client.run('git status --short');
    expect(reply.value?.exit_code, JSON.stringify(reply)).to.equal(0);
  });

  it('of a worktree and of its neighbours are what they were', async () => {
    const made = ground();
    const main = made.workspace;
    made.git('worktree', 'add', '-q', '../mine', '-b', 'mine');
    made.git('worktree', 'add', '-q', '../other', '-b', 'other');
    const client = await serve(made, undefined, join(made.root, 'mine'));
    const doors = [
      'worktrees/other/commondir',
      'worktrees/mine/commondir',
      'commondir',
      'config',
      'hooks/pre-commit',
    ];
    const texts = (): readonly string[] =>
      doors.map((door) => {
        const path = join(main, '.git', door);
        return existsSync(path) ? readFileSync(path, 'utf8') : '';
      });
    const before = texts();
    for (const door of doors)
      await client.run({ command: 'bash', stdin: `echo evil > ${main}/.git/${door}` });
    expect(texts()).to.deep.equal(before);
    expect(made.git('status', '--short')).to.equal('');
  });

  describe('let honest work through', () => {
    for (const { name, setup, scripts } of some(HONEST_FLOWS, 8)) {
      it(name, async () => {
        const [inside, beside] = [ground(), ground()];
        for (const one of [inside, beside]) setup?.(one);
        const client = await serve(inside);
        for (const script of scripts) {
          const reply = await client.run(
            TIDYING.test(script) ? script : { command: 'bash', stdin: PLAIN + script },
          );
          expect(reply.success, JSON.stringify(reply)).to.equal(true);
          expect(reply.message, script).to.equal(undefined);
          beside.sh(['bash', '-c', PLAIN + script]);
        }
        expect(inside.picture()).to.equal(beside.picture());
      });
    }
  });
});
