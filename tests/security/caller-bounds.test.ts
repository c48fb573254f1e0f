import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { descendantsOf } from '../../src/infrastructure/command/process/memory-watchdog.js';
import { GitGround } from '../support/git-ground.js';
import { HttpCommandServer } from '../support/http-commands.js';
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

  for (const uid of USERS) {
    it(`is bounded over all of its sessions, and others are served${uid === undefined ? '' : ', as an ordinary user'}`, async () => {
      ground = new GitGround(uid);
      const policy = ground.policy(
        `extends: [builtin:workspace]\n${HttpCommandServer.principals([MALLORY, ALICE])}roles:\n  default: { tools: ["*"] }\n`,
      );
      server = await HttpCommandServer.start(ground, policy, { CASTELLAN_ANSWERS: 'envelope' }, uid);
      const alice = await server.caller(ALICE);
      expect((await alice.run({ command: 'true' })).success).to.equal(true);
      const before = readdirSync(`/proc/${server.pid}/fd`).length;
      for (let session = 0; session < SESSIONS; session += 1) {
        const mallory = await server.caller(MALLORY);
        const reply = await mallory.run({ command: 'true' });
        expect(reply.success, JSON.stringify(reply)).to.equal(true);
      }
      // Each is a bwrap outside, one inside and a shell; alice has one as well.
      expect(holders()).to.be.at.most((MOST + 2) * 3);
      const grown = readdirSync(`/proc/${server.pid}/fd`).length - before;
      expect(grown, 'descriptors').to.be.below((MOST + 2) * 8);
      const answers = [await alice.run({ command: 'cat a.txt' }), await alice.run({ command: 'true' })];
      for (const reply of answers) expect(reply.success, JSON.stringify(reply)).to.equal(true);
    });
  }
});
