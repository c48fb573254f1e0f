import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { CanonicalRequest } from '../../../../src/domain/permission/policy/decision.js';
import type { PermissionPolicy } from '../../../../src/domain/permission/policy/permission-policy.js';
import { LOCAL_STDIO } from '../../../../src/domain/session/caller.js';
import { callOf, decide, decideCall, policyOf, verdict } from '../../../support/policy-bench.js';

function steps(policy: PermissionPolicy, tool: string, args: Readonly<Record<string, unknown>>): string {
  const explained = decideCall.explain(policy, callOf(tool, args));
  return explained.steps.map(({ check, outcome }) => `${check} ${outcome}`).join(', ');
}

const BEFORE_ALLOWS =
  'tool passed, roles passed, arguments passed, canonical passed, built-in passed, denies passed';

describe('The steps of a decision', () => {
  const RULES = `
tools:
  write_file: { allowed_paths: [., { path: asked, consent: ask }], denied_paths: [frozen], arguments: { path: { maxLength: 20 } } }
  copy_path: { allowed_paths: [out] }
  execute_command: { allowed_commands: [ls] }
`;
  const TABLE: readonly (readonly [tool: string, args: Record<string, unknown>, wanted: string])[] = [
    ['nothing_like_it', {}, 'tool refused'],
    ['write_file', { path: 'a/path/that/is/too/long' }, 'tool passed, roles passed, arguments refused'],
    ['write_file', { path: 'a\0b' }, 'tool passed, roles passed, arguments passed, canonical refused'],
    [
      'write_file',
      { path: 'permissions.yaml' },
      'tool passed, roles passed, arguments passed, canonical passed, built-in refused',
    ],
    [
      'write_file',
      { path: 'frozen/a' },
      'tool passed, roles passed, arguments passed, canonical passed, built-in passed, denies refused',
    ],
    ['write_file', { path: '/etc/a' }, `${BEFORE_ALLOWS}, allows refused`],
    ['write_file', { path: 'a' }, `${BEFORE_ALLOWS}, allows passed, consent passed`],
    ['write_file', { path: 'asked/a' }, `${BEFORE_ALLOWS}, allows passed, consent asks`],
    ['execute_command', { command: 'ls' }, `${BEFORE_ALLOWS}, allows passed, sandbox passed, consent passed`],
    ['execute_command', { command: 'wc' }, `${BEFORE_ALLOWS}, allows refused`],
  ];
  for (const [tool, args, wanted] of TABLE) {
    it(`${tool} ${JSON.stringify(args)}: ${wanted.split(', ').at(-1)}`, async () => {
      expect(steps(await policyOf(RULES), tool, args)).to.equal(wanted);
    });
  }

  it('name the path that is meant where a call has several', async () => {
    const policy = await policyOf(RULES);
    const hint = (tool: string, args: Readonly<Record<string, unknown>>) => {
      const decision = decide(policy, tool, args);
      return decision.effect === 'deny' ? decision.hint : decision.effect;
    };
    expect(hint('copy_path', { source: '/etc/a', destination: 'out/a' })).to.match(/^source: /);
    expect(hint('copy_path', { source: 'out/a', destination: 'src/a' })).to.match(/^destination: /);
    expect(hint('copy_path', { source: 'out/a', destination: 'permissions.yaml' })).to.match(
      /^destination: /,
    );
    expect(hint('write_file', { path: '/etc/a' })).to.match(/^The policy/);
  });
});

describe('A command that deletes as much as delete_path', () => {
  const asking = (consent: string) => `
tools:
  execute_command: { allowed_commands: ["*"] }
  delete_path: { allowed_paths: ["."], ${consent} }
`;
  const TABLE: readonly (readonly [consent: string, wanted: string])[] = [
    ['consent: never', 'allow'],
    ['consent: ask', 'ask'],
    ['consent: always', 'always'],
    ['consent: explicit', 'always'],
  ];
  for (const [consent, wanted] of TABLE) {
    it(`is answered with ${wanted} under ${consent}`, async () => {
      const policy = await policyOf(asking(consent));
      expect(verdict(decide(policy, 'execute_command', { command: 'rm -rf .' }))).to.equal(wanted);
      expect(verdict(decide(policy, 'execute_command', { command: 'rm a' }))).to.equal('allow');
    });
  }
});

describe('A host', () => {
  it('is reached where an entry allows it and none denies it', async () => {
    const policy = await policyOf(`
tools:
  claude_conversation: { allowed_hosts: ["*.example.com", "other.org:443"], denied_hosts: ["evil.example.com"] }
`);
    const host = (name: string, port?: number): string => {
      const requests: CanonicalRequest[] = [
        { kind: 'host', host: name, ...(port !== undefined && { port }) },
      ];
      const decision = policy.decide({
        caller: LOCAL_STDIO,
        tool: 'claude_conversation',
        arguments: {},
        requests,
      });
      return decision.effect === 'deny' ? decision.message : decision.effect;
    };
    expect(host('a.example.com')).to.equal('allow');
    expect(host('evil.example.com')).to.equal('evil.example.com is denied by evil.example.com.');
    expect(host('other.org', 443)).to.equal('allow');
    expect(host('other.org')).to.equal('Nothing in allowed_hosts of claude_conversation matches other.org.');
  });
});
