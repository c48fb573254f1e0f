import { expect } from 'chai';
import { DecideCall } from '../../../src/application/permission/decide-call.js';
import type { CommandParser } from '../../../src/application/ports/command/command-parser.js';
import { TURN_CHARACTERS } from '../../../src/application/ports/system/turns.js';
import type { CommandPlan } from '../../../src/domain/command/command-plan.js';
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
});
