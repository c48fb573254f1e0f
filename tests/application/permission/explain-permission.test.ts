import { expect } from 'chai';
import { explainPermission, explainSafely } from '../../../src/application/permission/explain-permission.js';
import { callOf, decide, decideCall, policyOf } from '../../support/policy-bench.js';

const YAML = `tools:
  write_file:
    allowed_paths:
      - out
    denied_paths:
      - { path: out/hidden-place, id: hide, why: because }
  execute_command:
    allowed_commands:
      - ls
      - find
    denied_commands:
      - rm
  echo: { enabled: false }
  delete_path: { allowed_paths: [out], arguments: { recursive: { const: false } }, consent: ask }
roles:
  default: { tools: [write_file, execute_command, echo, delete_path, read_file] }
`;

const rows: readonly [string, Record<string, unknown>, string | undefined, string | undefined][] = [
  ['write_file', { path: 'out/a' }, undefined, '/policy.yaml:4:9'],
  ['write_file', { path: 'out/hidden-place/a' }, 'DENIED_PATH', '/policy.yaml:6:9'],
  ['write_file', { path: 'src/a' }, 'NO_ALLOW', '/policy.yaml:3:5'],
  ['write_file', { path: 'out/.git/x' }, 'PROTECTED', 'builtin:protected:1:1'],
  ['write_file', { path: 'a\0' }, 'UNPARSEABLE', '/policy.yaml:3:5'],
  ['execute_command', { command: 'ls' }, undefined, '/policy.yaml:9:9'],
  ['execute_command', { command: 'ls; rm x' }, 'DENIED_COMMAND', '/policy.yaml:12:9'],
  ['execute_command', { command: 'curl x' }, 'NO_ALLOW', '/policy.yaml:8:5'],
  ['execute_command', { command: 'find . -delete' }, 'HAZARDOUS_ARGUMENT', '/policy.yaml:10:9'],
  ['execute_command', { command: 'ls $(id)' }, 'SHELL_SYNTAX', '/policy.yaml:8:5'],
  ['echo', {}, 'DISABLED', '/policy.yaml:13:9'],
  ['delete_path', { path: 'out/a', recursive: true }, 'ARGUMENT', '/policy.yaml:14:64'],
  ['delete_path', { path: 'out/a' }, 'CONSENT_REQUIRED', '/policy.yaml:14:93'],
  ['list_directory', {}, 'ROLE', '/policy.yaml:16:12'],
  ['nothing', {}, 'UNKNOWN_TOOL', '/policy.yaml:1:1'],
];

describe('explainPermission', () => {
  for (const [tool, args, reason, rule] of rows) {
    it(`names the deciding rule of ${tool} ${JSON.stringify(args)}`, async () => {
      const explanation = explainPermission(decideCall, await policyOf(YAML), callOf(tool, args));
      expect(explanation.reason).to.equal(reason);
      expect(explanation.rule).to.equal(rule);
      expect(explanation.steps.at(-1)?.outcome).to.equal(
        reason === undefined ? 'passed' : reason === 'CONSENT_REQUIRED' ? 'asks' : 'refused',
      );
    });
  }

  it('shows the steps in the order they are taken, and the words of the rule', async () => {
    const policy = await policyOf(YAML);
    const { steps } = explainPermission(decideCall, policy, callOf('write_file', { path: 'out/a' }));
    expect(steps.map(({ check }) => check)).to.deep.equal([
      'tool',
      'roles',
      'arguments',
      'canonical',
      'built-in',
      'denies',
      'allows',
      'consent',
    ]);
    const denied = explainPermission(decideCall, policy, callOf('write_file', { path: 'out/hidden-place' }));
    expect(denied).to.include({ id: 'hide', why: 'because' });
  });
});

describe('explainSafely', () => {
  it('tells the kind of rule and what to do, never a path, a pattern or a place in the policy', async () => {
    const policy = await policyOf(YAML);
    for (const [tool, args, reason] of rows) {
      const safe = explainSafely(decide(policy, tool, args));
      // The line that would allow the call repeats what the caller gave, in the caller's own words.
      const text = JSON.stringify(safe).replaceAll(`path: ${String(args.path)} }`, '');
      expect(text, tool).to.not.match(/hidden-place|policy\.yaml|builtin:|\/workspace|because|\.git/);
      expect(safe.reason).to.equal(reason === 'ROLE' ? 'UNKNOWN_TOOL' : reason);
    }
  });

  it('makes a tool of another role look like one that does not exist', async () => {
    const policy = await policyOf(YAML);
    expect(explainSafely(decide(policy, 'list_directory', {}))).to.deep.equal(
      explainSafely(decide(policy, 'nothing', {})),
    );
  });
});
