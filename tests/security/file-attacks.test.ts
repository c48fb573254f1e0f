import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { AttackGround, CANARY } from '../support/attack-ground.js';
import type { FileAttack } from '../support/file-attack.js';
import { linkAttacks } from '../support/link-attacks.js';
import { nameAttacks } from '../support/name-attacks.js';
import { pathAttacks } from '../support/path-attacks.js';
import { policyAttacks } from '../support/policy-attacks.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { specialAttacks } from '../support/special-attacks.js';

const ALL: readonly FileAttack[] = [
  ...pathAttacks,
  ...linkAttacks,
  ...nameAttacks,
  ...policyAttacks,
  ...specialAttacks,
];
const MAX_ANSWER = 2_000_000;

/** The built server on prepared ground. */
async function attackable(ground: AttackGround): Promise<SpawnedServer> {
  const server = new SpawnedServer(undefined, {
    CASTELLAN_WORKSPACE: ground.root,
    CASTELLAN_POLICY: ground.policy,
    XDG_STATE_HOME: ground.state,
    HOME: ground.home,
  });
  await server.initialize();
  return server;
}

async function attack(
  server: SpawnedServer,
  ground: AttackGround,
  { tool, args, expect: defence }: FileAttack,
  id: number,
) {
  const { result, error } = await server.callTool(id, tool, args(ground));
  const answer = JSON.stringify(result ?? error);
  expect(answer, 'shows nothing').not.to.include(CANARY);
  expect(answer.length, 'is bounded').to.be.below(MAX_ANSWER);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  expect(answer, 'speaks to no terminal').not.to.match(/[\u0000-\u001f]/);
  // Refused for what it is, and not because the server was tired of it or broke.
  expect(answer).not.to.match(/ToolUnavailableError|ToolNotFoundError|InternalError|Tool execution failed/);
  if (defence !== 'bounded') expect(answer, 'in time').not.to.include('ToolTimeoutError');
  if (defence === 'refused') expect(result?.isError, answer.slice(0, 300)).to.equal(true);
}

describe('attacks on files, against the built server', () => {
  it('are at least 150, with at least ten mechanisms of each class', () => {
    expect(ALL.length).to.be.at.least(150);
    const kinds = new Map<string, Set<string>>();
    for (const { kind, how } of ALL) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(how));
    expect(kinds.size).to.equal(16);
    for (const [kind, ways] of kinds) expect(ways.size, kind).to.be.at.least(10);
  });

  for (const [title, alone] of [
    ['S3-19: under an everyday policy none passes', false],
    ['the guards alone hold under a policy that allows everything but the outside', true],
  ] as const) {
    describe(title, () => {
      let ground: AttackGround;
      let server: SpawnedServer;
      let untouched: string;
      let id = 0;

      before(async () => {
        ground = new AttackGround();
        await ground.lay();
        if (alone) ground.permissivePolicy();
        else ground.everydayPolicy();
        untouched = ground.untouchable();
        server = await attackable(ground);
      });
      after(async () => {
        await server.kill();
        await ground.leave();
      });

      const cases = ALL.filter((one) => !alone || one.alone === 'guards' || one.alone === 'either');
      for (const one of cases) {
        it(`${one.kind}, ${one.how}: ${one.tool}`, async () => {
          id += 1;
          await attack(server, ground, one, id);
          expect(ground.untouchable(), 'nothing was touched').to.equal(untouched);
        });
      }

      it('and the server is well, small and silent afterwards', async () => {
        const { result } = await server.callTool('last', 'read_file', { path: 'plain.txt' });
        expect(result?.content).to.deep.equal([{ type: 'text', text: 'plain text\n' }]);
        expect(server.garbage).to.deep.equal([]);
        expect(server.rss).to.be.below(400e6);
      });
    });
  }
});
