import { expect } from 'chai';
import { DecideCall } from '../../../src/application/permission/decide-call.js';
import type { CommandParser } from '../../../src/application/ports/command/command-parser.js';
import { TURN_CHARACTERS } from '../../../src/application/ports/system/turns.js';
import type { CommandPlan } from '../../../src/domain/command/command-plan.js';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { loadShellParser } from '../../../src/infrastructure/shell/shell-parser.js';
import { callOf, policyOf, WORKSPACE } from '../../support/policy-bench.js';

const YAML = `tools:
  execute_command: { allowed_commands: [ls, { command: rm, consent: ask }], sandbox: none }
  read_file: { allowed_paths: ["."] }
`;

describe('DecideCall', () => {
  const plans: CommandPlan[] = [];
  let decideCall: DecideCall;

  before(async () => {
    const real = await loadShellParser();
    const counting: CommandParser = {
      home: real.home,
      load: () => real.load(),
      parse: (text, mode) => {
        const plan = real.parse(text, mode);
        if (plan.success) plans.push(plan.value);
        return plan;
      },
      fromArgv: (command, args, mode) => real.fromArgv(command, args, mode),
    };
    decideCall = new DecideCall({ root: WORKSPACE }, counting);
  });
  beforeEach(() => {
    plans.length = 0;
  });

  for (const [command, effect] of [
    ['ls -l', 'allow'],
    ['rm x', 'consent'],
  ] as const) {
    it(`reads a line once and hands on what was decided on: ${effect}`, async () => {
      const decision = decideCall.decide(await policyOf(YAML), callOf('execute_command', { command }));
      expect(decision.effect).to.equal(effect);
      expect(plans).to.have.lengthOf(1);
      expect('plans' in decision && decision.plans?.[0]).to.equal(plans[0]);
    });
  }

  it('hands on no plan of a line that is denied, nor where there is no line', async () => {
    const policy = await policyOf(YAML);
    expect(decideCall.decide(policy, callOf('execute_command', { command: 'cat x' }))).not.to.have.property(
      'plans',
    );
    expect(decideCall.decide(policy, callOf('read_file', { path: 'x' }))).not.to.have.property('plans');
  });

  it('reads a long line in a turn of its own', async () => {
    const taken: number[] = [];
    const turns = { take: async (characters: number) => void taken.push(characters) };
    const waiting = new DecideCall({ root: WORKSPACE }, await loadShellParser(), undefined, turns);
    const long = 'x'.repeat(5_000);
    await waiting.load([{ kind: 'run-command', command: 'ls' }]);
    await waiting.load([{ kind: 'read-path', path: long, argument: 'path' }]);
    expect(taken).to.deep.equal([]);
    await waiting.load([{ kind: 'run-command', command: long }]);
    await waiting.load([{ kind: 'run-command', command: 'ls', args: [long] }]);
    expect(taken).to.deep.equal([TURN_CHARACTERS, TURN_CHARACTERS]);
  });

  describe('where sandboxes give a session a /tmp', () => {
    const OWN = `extends: [builtin:workspace]
roles: { looks: { tools: [read_file, write_file] }, works: { tools: ["*"] } }
principals: [{ match: { transport: [stdio] }, roles: [works] }, { match: { transport: [embedded] }, roles: [looks] }]
tools: { files.write: { allowed_paths: [src] }, read_file: { denied_paths: [/tmp/hidden] } }
`;
    let own: DecideCall;
    before(async () => {
      own = new DecideCall({ root: WORKSPACE }, await loadShellParser(), undefined, undefined, true);
    });
    const effectOf = async (tool: string, path: string, more = {}): Promise<string> => {
      const decision = own.decide(await policyOf(OWN), { ...callOf(tool, { path, content: '' }), ...more });
      return decision.effect === 'deny' ? decision.reason : `${decision.effect} ${decision.inOwnTmp}`;
    };

    it('allows file tools there what no list names, but for what is denied', async () => {
      expect(await effectOf('read_file', '/tmp/a')).to.equal('allow true');
      expect(await effectOf('write_file', '/tmp/a')).to.equal('allow true');
      expect(await effectOf('read_file', '/tmp/hidden')).to.equal('DENIED_PATH');
      expect(await effectOf('read_file', '/tmp/.env')).to.equal('PROTECTED');
      expect(await effectOf('read_file', '/var/a')).to.equal('NO_ALLOW');
      expect(await effectOf('read_file', 'src/a')).to.equal('allow undefined');
    });

    it('allows nothing there to a caller without commands, to another program, and where commands have the machine’s', async () => {
      expect(await effectOf('read_file', '/tmp/a', { caller: LOCAL_EMBEDDED })).to.equal('NO_ALLOW');
      expect(await effectOf('read_file', '/tmp/a', { isElsewhere: true })).to.equal('NO_ALLOW');
      const bare = await policyOf(YAML);
      expect(own.decide(bare, callOf('read_file', { path: '/tmp/a' })).effect).to.equal('deny');
    });
  });
});
