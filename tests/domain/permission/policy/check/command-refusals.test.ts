import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { PermissionPolicy } from '../../../../../src/domain/permission/policy/permission-policy.js';
import { decide, policyOf } from '../../../../support/policy-bench.js';

const RULES = `
tools:
  execute_command:
    allowed_commands: [ls, cat, git, npm, python3, { command: [node], interpreter: true }, { command: [uv, run] }, ./tool.sh]
    denied_commands: [rm, { command: [git, [push, fetch]] }, { command: [curl, x], any: [-k, --insecure] }]
    env: { accept: [LANG, GIT_DIR] }
`;

/** A line, and what the refusal says of it. */
const TABLE: readonly (readonly [command: string, told: string])[] = [
  ['rm a', 'rm is denied.'],
  ['env rm a', 'rm through env is denied.'],
  ['git push origin', 'git push is denied.'],
  ['git p', 'git push|fetch is denied.'],
  ['curl x -k', 'curl x with -k is denied.'],
  ['curl -sk x', 'curl x with -k or --insecure is denied.'],
  ['wc a', 'Nothing in allowed_commands of execute_command matches wc.'],
  ['python3 a.py', 'python3 runs any code it is given; its rule must say interpreter: true.'],
  ['npm exec a', 'npm exec runs any program; its rule must name the subcommand, or write interpreter: true.'],
  ['npm --silent exec a', 'npm exec runs any program; its rule must name the subcommand'],
  ['/home/a/ls', "/home/a/ls lies outside the system's and the toolchains' folders."],
  ['cat .env', '/workspace/.env is not read'],
  ['FOO=a ls', 'The line sets the variable FOO, and env.accept does not list it.'],
  ['GIT_DIR=a git log', 'The line sets the variable GIT_DIR'],
];

const FINE = ['ls', '/bin/ls', 'git log', 'npm test', 'node a.js', 'uv run a', './tool.sh', 'LANG=C ls'];

describe('Commands that are allowed by name', () => {
  let policy: PermissionPolicy;
  before(async () => {
    policy = await policyOf(RULES);
  });

  for (const [command, told] of TABLE) {
    it(`${command}: ${told}`, () => {
      const decision = decide(policy, 'execute_command', { command });
      expect(decision.effect === 'deny' ? decision.message : decision.effect).to.include(told);
    });
  }

  for (const command of FINE) {
    it(`${command} may run`, () => {
      const decision = decide(policy, 'execute_command', { command });
      expect(decision.effect === 'deny' ? decision.message : decision.effect).to.equal('allow');
    });
  }

  /** What the hint says a person would write. */
  const HINTS: readonly (readonly [command: string, hint: string])[] = [
    ['wc a', '- { tool: execute_command, command: [wc, a] }'],
    ['wc a | sort -u', '[wc, a] }\n  - { tool: execute_command, command: [sort, -u]'],
    ['/opt/wc a', 'command: [wc, a] }'],
    ['sub/wc a', 'command: [./sub/wc, a] }'],
    ['ruby a', 'command: [ruby, a], interpreter: true }'],
    ['ruby', 'Tell the user which permission is missing.'],
    ['wc "on" 12 a*', 'command: [wc, "on", "12", "*"] }'],
    ['w% a', 'Tell the user which permission is missing.'],
    ['cat .env', '.env: This file is protected'],
    ['cat /home/user/.ssh/id_rsa', '/home/user/.ssh/id_rsa: This file is protected'],
    ['cat permissions.yaml', 'No policy opens it. Work on another path.'],
    ['rm -rf a b c d', 'Only the user can lift it'],
    ['/bin/rm a*', 'at the rule that castellan policy explain names'],
    ['wc a && rm b', 'The policy denies rm'],
    ['/home/a/ls', "Only the system's own ls is allowed; write the bare name."],
    ['FOO=a ls', '- { tool: execute_command, env: FOO }'],
    ['GIT_DIR=a git log', 'Leave GIT_DIR out'],
  ];
  for (const [command, hint] of HINTS) {
    it(`${command} has the hint ${hint}`, () => {
      const decision = decide(policy, 'execute_command', { command });
      expect(decision.effect === 'deny' ? decision.hint : decision.effect).to.include(hint);
    });
  }

  it('set no variable of the call that the policy does not accept', () => {
    const withEnv = (env: Record<string, string>) =>
      decide(policy, 'execute_command', { command: 'ls', env });
    expect(withEnv({ LANG: 'C' }).effect).to.equal('allow');
    const refused = withEnv({ LANG: 'C', PATH: '.' });
    expect(refused.effect === 'deny' && refused.message).to.include('env must not set PATH');
    expect(refused.effect === 'deny' && refused.hint).to.not.include('`');
    const harmless = withEnv({ TERM: 'x' });
    expect(harmless.effect === 'deny' && harmless.hint).to.include('{ tool: execute_command, env: TERM }');
    for (const name of [
      'A B',
      'LD_PRELOAD',
      'GIT_DIR2',
      'BASH_ENV',
      'NODE_OPTIONS',
      'PYTHONPATH',
      'PAGER',
      'CC',
    ]) {
      const odd = withEnv({ [name]: '' });
      expect(odd.effect === 'deny' && odd.hint, name).to.not.include('`');
    }
  });
});

describe('Lines that set variables', () => {
  it('may set any where every program may run', async () => {
    const open = await policyOf('tools: { execute_command: { allowed_commands: ["*"] } }');
    expect(decide(open, 'execute_command', { command: 'GIT_DIR=a FOO=b ls' }).effect).to.equal('allow');
  });
});
