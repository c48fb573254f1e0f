import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { CommandClient, type CommandReply, MANY_CALLS } from '../support/command-client.js';
import { type GitAttack, TOOLS } from '../support/git-attacks/attack.js';
import { GIT_ATTACKS } from '../support/git-attacks/git-attacks.js';
import { type FolderPicture, obeyedIn, pictureDifferences } from '../support/git-attacks/real-folder.js';
import { STILL_WORKS, USERS_ROUND } from '../support/git-attacks/users-round.js';
import { GitGround } from '../support/git-ground.js';
import { ORDINARY_USER } from '../support/ordinary-user.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;
const IS_LONG = process.env.CASTELLAN_LONG === '1';
/** Commands write in the user's git folder, so that they can break it; asked for, that counts as well. */
const IS_WHOLE = process.env.CASTELLAN_GIT_HARM === 'whole';
/** Part of a name: these alone. */
const ONLY = process.env.CASTELLAN_GIT_ATTACK;

function chosen(step: number): readonly GitAttack[] {
  if (ONLY !== undefined) return GIT_ATTACKS.filter(({ name }) => name.includes(ONLY));
  return IS_LONG ? GIT_ATTACKS : GIT_ATTACKS.filter((_, index) => index % step === 0);
}

const FAULTY = /^(error|fatal|missing|broken|dangling ref|bad|warning: (?:ignoring|bad)|.*bad object)/im;

/** What came of an attack; empty: nothing. */
interface Harm {
  readonly wasRun: boolean;
  readonly obeyed: readonly string[];
  readonly broken: readonly string[];
}

function script(text: string, ground: GitGround): string {
  return (TOOLS + text).replaceAll('@C', ground.canary);
}

function prepare(ground: GitGround, { setup }: GitAttack): FolderPicture {
  ground.git('remote', 'add', 'origin', 'https://127.0.0.1:9/remote.git');
  if (setup !== undefined) ground.sh(['bash', '-c', setup]);
  ground.own();
  return obeyedIn(join(ground.workspace, '.git'));
}

/** The user's day afterwards. */
function afterwards(ground: GitGround, { where = '.' }: GitAttack, before: FolderPicture): Harm {
  const folder = join(ground.workspace, '.git');
  const obeyed = existsSync(join(folder, 'objects'))
    ? pictureDifferences(before, obeyedIn(folder))
    : ['.git'];
  for (const place of new Set([where, '.']))
    for (const line of USERS_ROUND)
      ground.sh(['timeout', '5', 'bash', '-c', line], join(ground.workspace, place));
  const broken = STILL_WORKS.flatMap((line) => {
    const said = ground.sh(['timeout', '10', 'bash', '-c', `${line} || echo "error: exit code $?"`]);
    return FAULTY.test(said) ? [`${line}: ${said.slice(-300)}`] : [];
  });
  return { wasRun: ground.wasRun, obeyed, broken };
}

describe('Attacks on the git folder', function () {
  this.timeout(180_000);
  const closing: (() => void | Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  function ground(uid?: number): GitGround {
    const made = new GitGround(uid);
    closing.push(() => made.remove());
    return made;
  }

  async function attacked(one: GitAttack, uid?: number): Promise<readonly [Harm, readonly CommandReply[]]> {
    const made = ground(uid);
    const before = prepare(made, one);
    const place = { workspace: made.workspace, state: made.state };
    const client = await CommandClient.start(place, made.policy(POLICY), { HOME: made.home }, uid);
    closing.push(() => client.stop());
    const replies: CommandReply[] = [];
    for (const text of one.scripts)
      replies.push(await client.run({ command: 'bash', stdin: script(text, made) }));
    await client.server.end();
    return [afterwards(made, one, before), replies];
  }

  it('are at least 150', () => {
    expect(new Set(GIT_ATTACKS.map(({ name }) => name)).size).to.be.at.least(150);
  });

  for (const [uid, step] of [
    [undefined, 40],
    [ORDINARY_USER, 90],
  ] as const) {
    if (uid === undefined && step === 90) continue;
    describe(`come to nothing${uid === undefined ? '' : ' for a server that is not root'}`, () => {
      for (const one of chosen(step)) {
        it(one.name, async () => {
          const [harm, replies] = await attacked(one, uid);
          const told = JSON.stringify(replies);
          expect(harm.wasRun, told).to.equal(false);
          if (!IS_WHOLE && !one.name.startsWith('settings:')) return;
          expect(harm.obeyed, told).to.deep.equal([]);
          expect(harm.broken, told).to.deep.equal([]);
        });
      }
    });
  }

  it('do harm where nobody stands between: a sample without Castellan', () => {
    const sample = ['index: a hook of git', 'files that git obeys: a hook', 'refs: HEAD taken away'];
    const found = GIT_ATTACKS.filter(({ name }) => sample.includes(name)).map((one) => {
      const made = ground();
      const before = prepare(made, one);
      for (const text of one.scripts) made.sh(['bash', '-c', script(text, made)]);
      const { wasRun, obeyed, broken } = afterwards(made, one, before);
      return [wasRun, obeyed.length > 0, broken.length > 0];
    });
    expect(found).to.deep.equal([
      [true, false, false],
      [false, false, true],
      [true, true, false],
    ]);
  });
});
