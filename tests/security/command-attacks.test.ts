import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { ATTACK_LINES, type Attack } from '../support/attack-lines.js';
import { AttackGround, CANARY } from '../support/command-ground.js';
import { OPTION_ATTACKS } from '../support/option-attacks.js';
import { processesWith } from '../support/sandbox-jobs.js';
import { SpawnedServer, type WireMessage } from '../support/spawned-server.js';

const SERVER_SECRET = 'secret-in-the-environment-of-the-server';
const AT_ONCE = 6;

const ROOM =
  'rate: { limit: 100000/min, burst: 100000 }\n    circuit_breaker: { failures: 1000, open_for: 1s }';

/** Without a sandbox whatever slips through has its effect: nothing but the analysis stands in the way. */
const BY_NAME = `
tools:
  read_file: { allowed_paths: ["."], denied_paths: ["@O"] }
  execute_command:
    allowed_commands: [ls, cat, grep, find, sort, head, wc, sed, tar, diff, echo, printf, test, "[", git, env, xargs, nice, timeout, nohup]
    denied_commands: [rm, sudo, chmod]
    sandbox: none
    timeout: 10
    ${ROOM}
`;

const SEED = `
tools:
  execute_command:
    allowed_commands: [ls, cat, grep, find]
    denied_commands: [rm, sudo, chmod]
    timeout: 10
    ${ROOM}
`;

const CLASSES = { ...ATTACK_LINES, ...OPTION_ATTACKS };
const all = Object.entries(CLASSES).flatMap(([kind, attacks]) => attacks.map((attack) => ({ kind, attack })));

describe('Attacks by command line', function () {
  this.timeout(180_000);

  it('are many, and of many mechanisms in every class', () => {
    expect(all.length).to.be.at.least(400);
    for (const [kind, attacks] of Object.entries(CLASSES)) {
      expect(new Set(attacks.map((attack) => JSON.stringify(attack))).size, kind).to.be.at.least(10);
    }
  });

  for (const [title, policy] of [
    ['a policy of names without a sandbox', BY_NAME],
    ["the seed's policy", SEED],
  ] as const) {
    describe(`under ${title}`, () => {
      let ground: AttackGround;
      let server: SpawnedServer;
      const answers: { readonly kind: string; readonly attack: string | Attack; readonly text: string }[] =
        [];

      before(async () => {
        ground = new AttackGround();
        server = new SpawnedServer(undefined, {
          CASTELLAN_WORKSPACE: ground.workspace,
          CASTELLAN_POLICY: ground.policy('policy.yaml', policy),
          XDG_STATE_HOME: ground.state,
          CASTELLAN_LOG_LEVEL: 'silent',
          SERVER_SECRET,
        });
        await server.initialize();
        const queue = [...all.entries()];
        const worker = async (): Promise<void> => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const [number, { kind, attack }] = next;
            const answer = await server.callTool(number, 'execute_command', ground.aim(attack, number));
            answers.push({ kind, attack, text: textOf(answer) });
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, worker));
      });

      after(async () => {
        await server?.kill();
        ground?.remove();
      });

      it('none changes a file, inside or outside', () => {
        expect(answers.length).to.equal(all.length);
        expect(ground.changes()).to.deep.equal([]);
      });

      it('none reads what it may not', () => {
        for (const { attack, text } of answers) {
          expect(text, JSON.stringify(attack).slice(0, 200))
            .not.to.include(CANARY)
            .and.not.to.include(SERVER_SECRET);
        }
      });

      it('none leaves a process behind', () => {
        expect(processesWith(ground.root)).to.deep.equal([]);
      });

      it('each refusal of a form names what to write instead', () => {
        const refused = answers.filter(({ text }) => text.includes('SHELL_SYNTAX'));
        expect(refused.length).to.be.at.least(60);
        for (const { attack, text } of refused) {
          expect(text, JSON.stringify(attack)).to.match(/\(SHELL_SYNTAX\)\. .{8,}\. .{4,}\./s);
        }
      });
    });
  }
});

function textOf({ result, error }: WireMessage): string {
  return JSON.stringify(result ?? error);
}
