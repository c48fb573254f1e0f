import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { descendantsOf } from '../../src/infrastructure/command/process/memory-watchdog.js';
import { MANY_CALLS } from '../support/command-client.js';
import { GitGround } from '../support/git-ground.js';
import { type HttpCaller, HttpCommandServer } from '../support/http-commands.js';
import { ORDINARY_USER } from '../support/ordinary-user.js';

/** It takes a quarter of a minute for each. */
const USERS =
  process.env.CASTELLAN_LONG === '1' && ORDINARY_USER !== undefined
    ? [undefined, ORDINARY_USER]
    : [ORDINARY_USER];

const MALLORY = 'key-of-mallory-00001';
const ALICE = 'key-of-alice-0000002';
/** A few more than one caller may keep. */
const SESSIONS = 20;
const MOST = 16;
const AT_ONCE = 'all at once';
const BACKGROUND = 'some of them with a process in the background';
/** As many as one caller may have. */
const IN_BACKGROUND = 8;
const BUSY = { command: 'sleep 1000', background: true };

/** What all of these sessions of one caller do; answers how many of the calls were taken. */
const DOING: Readonly<Record<string, (sessions: readonly HttpCaller[]) => Promise<number>>> = {
  'one after the other': (sessions) => inTurn(sessions, { command: 'true' }),
  'one after the other, twice': async (sessions) =>
    Math.min(await inTurn(sessions, { command: 'true' }), await inTurn(sessions, { command: 'true' })),
  [AT_ONCE]: async (sessions) => {
    const replies = await Promise.all(sessions.map((session) => session.run({ command: 'cat', stdin: 'x' })));
    return replies.filter(({ success }) => success).length;
  },
  [BACKGROUND]: async (sessions) => {
    expect(await inTurn(sessions, BUSY), 'processes in the background').to.equal(IN_BACKGROUND);
    return inTurn(sessions, { command: 'true' });
  },
};

async function inTurn(sessions: readonly HttpCaller[], call: object): Promise<number> {
  let taken = 0;
  for (const session of sessions) if ((await session.run(call)).success) taken += 1;
  return taken;
}

describe('What one caller keeps', function () {
  this.timeout(120_000);
  let ground: GitGround;
  let server: HttpCommandServer;

  afterEach(async () => {
    await server.stop();
    ground.remove();
  });

  const holders = (): number =>
    descendantsOf(server.pid).filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('exec >&-; read -r line');
      } catch {
        // It has ended since it was listed.
        return false;
      }
    }).length;

  for (const [what, act] of Object.entries(DOING)) {
    for (const uid of USERS) {
      it(`is bounded over all of its sessions, and others are served${uid === undefined ? '' : ', as an ordinary user'}: ${what}`, async () => {
        ground = new GitGround(uid);
        const policy = ground.policy(
          `extends: [builtin:workspace]\n${HttpCommandServer.principals([MALLORY, ALICE])}roles:\n  default: { tools: ["*"] }\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`,
        );
        server = await HttpCommandServer.start(ground, policy, { CASTELLAN_ANSWERS: 'envelope' }, uid);
        const alice = await server.caller(ALICE);
        expect((await alice.run({ command: 'true' })).success).to.equal(true);
        const before = readdirSync(`/proc/${server.pid}/fd`).length;
        const sessions: HttpCaller[] = [];
        while (sessions.length < SESSIONS) sessions.push(await server.caller(MALLORY));
        // Where all that she may keep are busy at one moment, the next is refused.
        const least = what === AT_ONCE ? MOST : SESSIONS;
        expect(await act(sessions), 'calls that were taken').to.be.within(least, SESSIONS);
        // Each is a bwrap outside, one inside and a shell; alice has one as well.
        expect(holders()).to.be.within(MOST, (MOST + 2) * 3);
        const grown = readdirSync(`/proc/${server.pid}/fd`).length - before;
        // Each process in the background has its own.
        const held = MOST + 2 + (what === BACKGROUND ? IN_BACKGROUND : 0);
        expect(grown, 'descriptors').to.be.below(held * 8);
        const answers = [await alice.run({ command: 'cat a.txt' }), await alice.run({ command: 'true' })];
        for (const reply of answers) expect(reply.success, JSON.stringify(reply)).to.equal(true);
      });
    }
  }
});
