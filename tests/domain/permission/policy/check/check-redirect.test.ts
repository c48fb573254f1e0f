import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { PermissionPolicy } from '../../../../../src/domain/permission/policy/permission-policy.js';
import { decide, policyOf, verdict } from '../../../../support/policy-bench.js';

const SANDBOXED = `
sandboxes: { s: { filesystem: { read: [., /tmp/shown], write: [./out] } } }
tools: { execute_command: { allowed_commands: [echo, cat], sandbox: s, allowed_paths: [/data] } }
`;
const DIRECT =
  'tools: { execute_command: { allowed_commands: [echo, cat], sandbox: none, allowed_paths: [/data] } }\n';

/** A line, and what is said under a sandbox and without one. */
const TABLE: readonly (readonly [string, string, string])[] = [
  ['echo x > /dev/null', 'allow', 'allow'],
  ['cat < /dev/stdin', 'allow', 'allow'],
  ['echo x > /data/a', 'allow', 'allow'],
  ['echo x > out/a', 'allow', 'deny NO_ALLOW'],
  ['cat < out/a', 'allow', 'allow'],
  ['cat < a.txt', 'allow', 'allow'],
  ['echo x > a.txt', 'deny NO_ALLOW', 'deny NO_ALLOW'],
  ['echo x > /tmp/a', 'allow', 'deny NO_ALLOW'],
  ['echo x > /tmp/shown/a', 'deny NO_ALLOW', 'deny NO_ALLOW'],
  ['cat < /tmp/shown/a', 'allow', 'allow'],
  ['cat < /usr/share/a', 'allow', 'allow'],
  ['echo x > /usr/share/a', 'deny NO_ALLOW', 'deny NO_ALLOW'],
  ['cat < /home/other/a', 'deny NO_ALLOW', 'allow'],
];

describe('A redirection of a command that is allowed by name', () => {
  let sandboxed: PermissionPolicy;
  let direct: PermissionPolicy;
  before(async () => {
    sandboxed = await policyOf(SANDBOXED);
    direct = await policyOf(DIRECT);
  });

  for (const [command, inside, without] of TABLE) {
    it(`${command}: ${inside} in a sandbox, ${without} without`, () => {
      expect(verdict(decide(sandboxed, 'execute_command', { command }))).to.equal(inside);
      expect(verdict(decide(direct, 'execute_command', { command }))).to.equal(without);
    });
  }
});
