import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { SafeFileSystem } from '../../src/application/ports/file/safe-file-system.js';
import type { Castellan } from '../../src/composition/server/castellan.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import { AttackGround, CANARY } from '../support/attack-ground.js';
import { nameAttacks } from '../support/name-attacks.js';
import { pathAttacks } from '../support/path-attacks.js';
import { PlainFileSystem } from '../support/plain-file-system.js';
import { policyAttacks } from '../support/policy-attacks.js';

const CASES = [...pathAttacks, ...nameAttacks, ...policyAttacks].filter(
  ({ alone }) => alone === 'policy' || alone === 'either',
);

describe('attacks on files, with the guards replaced by a plain file system', () => {
  let ground: AttackGround;
  let castellan: Castellan;
  beforeEach(async () => {
    ground = new AttackGround();
    await ground.lay();
    ground.everydayPolicy();
    castellan = await createCastellan({
      workspace: ground.root,
      policy: ground.policy,
      environment: { HOME: ground.home, XDG_STATE_HOME: ground.state },
      logLevel: 'silent',
      configure: (container) => {
        container.rebind(SafeFileSystem).toConstantValue(new PlainFileSystem());
      },
    });
  });
  afterEach(async () => {
    await castellan.close();
    await ground.leave();
  });

  it('without guards a link to the outside is followed, so that what follows proves the policy', async () => {
    const read = await castellan.execute('read_file', { path: 'l/file' });
    expect(read.success && JSON.stringify(read.value.content)).to.include(CANARY);
  });

  it(`the policy alone refuses all ${CASES.length} that are said in words, or leaves them out`, async () => {
    expect(CASES.length).to.be.at.least(60);
    const before = ground.untouchable();
    for (const { kind, how, tool, args, expect: defence } of CASES) {
      const outcome = await castellan.execute(tool, args(ground));
      const title = `${kind}, ${how}: ${tool}`;
      expect(outcome.success, title).to.equal(defence === 'hidden');
      if (outcome.success) {
        const answer = JSON.stringify(outcome.value.structured);
        expect(answer, title).not.to.include(CANARY);
        expect(answer, title).to.match(/"success":false.*"error_type"/);
        continue;
      }
      expect(outcome.error.kind, title).to.equal('permission-denied');
      expect(outcome.error.message, title).not.to.include(CANARY);
    }
    expect(ground.untouchable()).to.equal(before);
  });
});
