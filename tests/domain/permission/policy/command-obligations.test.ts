import { expect } from 'chai';
import type { PermissionPolicy } from '../../../../src/domain/permission/policy/permission-policy.js';
import {
  callOf,
  decide,
  decideCall,
  load,
  loadFiles,
  policyOf,
  powerOf,
} from '../../../support/policy-bench.js';

function networkOf(policy: PermissionPolicy, command: string): string {
  const decision = decide(policy, 'execute_command', { command });
  return decision.effect === 'deny' ? decision.message : decision.obligations.network;
}

describe('the network of a command', () => {
  const RULES = `
tools:
  execute_command:
    allowed_commands:
      - ls
      - head
      - { command: curl, network: full }
      - { command: [git, [fetch, status]], network: full }
      - { command: [git, status], network: none }
      - { command: wget, network: full, consent: ask }
`;

  it('is what its rule says, wider than the entry as well as narrower', async () => {
    const policy = await policyOf(RULES);
    expect(networkOf(policy, 'curl example.com')).to.equal('full');
    expect(networkOf(policy, 'wget example.com')).to.equal('full');
    expect(networkOf(policy, 'ls')).to.equal('none');
    const open = await policyOf(RULES.replace('execute_command:', 'execute_command:\n    network: full'));
    expect(networkOf(open, 'ls')).to.equal('full');
    expect(networkOf(open, 'git status')).to.equal('none');
  });

  it('is that of the strictest program of a line, and of the strictest rule for a program', async () => {
    const policy = await policyOf(RULES);
    expect(networkOf(policy, 'curl example.com && git fetch')).to.equal('full');
    expect(networkOf(policy, 'curl example.com | head')).to.equal('none');
    expect(networkOf(policy, 'git fetch')).to.equal('full');
    expect(networkOf(policy, 'git status')).to.equal('none');
  });

  it('belongs to one program beside a rule for all of them', async () => {
    const policy = await policyOf(
      'tools: { execute_command: { allowed_commands: ["*", { command: npm, network: full }] } }',
    );
    expect(networkOf(policy, 'npm install')).to.equal('full');
    expect(networkOf(policy, 'node x.js')).to.equal('none');
    expect(networkOf(policy, 'env npm install')).to.equal('none');
  });

  it('is narrowed by a ceiling and by a file that nobody trusted', async () => {
    const ceiling = 'tools: { execute_command: { allowed_commands: [curl, ls] } }';
    const loaded = await loadFiles(
      { '/policy.yaml': RULES, '/ceiling.yaml': ceiling },
      { ceiling: '/ceiling.yaml' },
    );
    if (!loaded.success) throw new Error(loaded.error.message);
    expect(networkOf(loaded.value.snapshot.policy, 'curl example.com')).to.equal('none');
  });

  it('is told by explain with the rule that decides, and by the statement of power', async () => {
    const loaded = await load(RULES);
    const { snapshot } = loaded;
    const steps = (command: string) =>
      decideCall
        .explain(snapshot.policy, callOf('execute_command', { command }))
        .steps.filter(({ check }) => check === 'sandbox');
    const [curl] = steps('curl example.com');
    expect(curl?.detail).to.equal('Runs in the sandbox readonly; network: full.');
    expect(curl?.rule).to.include({ file: '/policy.yaml', line: 7 });
    expect(steps('ls')[0]?.detail).to.equal('Runs in the sandbox readonly; network: none.');
    const words = powerOf(loaded);
    expect(words.find((line) => line.includes('may run curl'))).to.match(
      /network: full by \/policy\.yaml:7:9\)/,
    );
    expect(words.find((line) => line.includes('may run ls; head'))).to.match(/network: none\)/);
  });

  it('gives a command the time that its rule names', async () => {
    const policy = await policyOf(
      'tools: { execute_command: { allowed_commands: [{ command: curl, timeout: 5m }, ls] } }',
    );
    const decision = decide(policy, 'execute_command', { command: 'curl x' });
    expect(decision.effect !== 'deny' && decision.obligations).to.include({ timeoutNamed: true });
    const both = decide(policy, 'execute_command', { command: 'curl x | ls' });
    expect(both.effect !== 'deny' && both.obligations).to.include({ timeoutNamed: false });
  });
});

describe('the rule that decides', () => {
  it('is the one that asks, where somebody is asked', async () => {
    const policy = await policyOf(`
defaults: { consent: ask }
tools:
  write_file: { allowed_paths: [a, { path: b, consent: always }] }
`);
    const ask = decide(policy, 'write_file', { path: 'a/x' });
    expect(ask.rule).to.include({ line: 2, column: 22 });
    const always = decide(policy, 'write_file', { path: 'b/x' });
    expect(always.rule).to.include({ line: 4, column: 56 });
  });

  it("is a ceiling's where the ceiling asks more", async () => {
    const loaded = await loadFiles(
      {
        '/policy.yaml': 'tools: { write_file: { allowed_paths: [a] } }',
        '/ceiling.yaml': 'tools: { write_file: { allowed_paths: ["."], consent: ask } }',
      },
      { ceiling: '/ceiling.yaml' },
    );
    if (!loaded.success) throw new Error(loaded.error.message);
    const asked = decide(loaded.value.snapshot.policy, 'write_file', { path: 'a/x' });
    expect(asked.rule).to.include({ file: '/ceiling.yaml', line: 1 });
  });
});
