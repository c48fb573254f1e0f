import { expect } from 'chai';
import { describe, it } from 'mocha';
import { commandTerms } from '../../../src/presentation/docs/command-terms.js';
import { loadFiles, policyOf } from '../../support/policy-bench.js';

const commands = (keys: string): string => `tools: { execute_command: { ${keys} } }\n`;

const ROWS: readonly (readonly [yaml: string, terms: RegExp])[] = [
  ['extends: [builtin:workspace]\n', /^Any bash works\. No network\. For servers .*background: true/],
  [
    commands('allowed_commands: [ls]'),
    /^Pipes.*are refused\. Only programs that the policy names run\. No network\. Nothing runs on/,
  ],
  [commands('allowed_commands: [ls], shell: none'), /^One program with its arguments/],
  [commands('allowed_commands: [ls], network: full'), /Programs reach the network/],
  [commands('allowed_commands: [ls, { command: curl, network: full }]'), /Network for some programs only/],
  [commands('allowed_commands: ["*"], sandbox: none'), /^Pipes.*refused\. Programs reach the network/],
  [
    `extends: [builtin:workspace]\nsandboxes: { workspace: { network: none } }\nalso_allow: [{ tool: execute_command, command: curl }]\n`,
    /No network\./,
  ],
];

describe('what the description of execute_command says of the policy in force', () => {
  for (const [yaml, terms] of ROWS) {
    it(`${JSON.stringify(yaml.slice(0, 80))}: ${terms.source}`, async () => {
      expect(commandTerms(await policyOf(yaml))).to.match(terms);
    });
  }

  it('is the strictest of all policies that must agree', async () => {
    const files = {
      '/policy.yaml': `extends: [builtin:workspace]\n${commands('network: full')}`,
      '/top.yaml': commands('allowed_commands: [ls, { command: curl, network: full }]'),
    };
    const loaded = await loadFiles(files, { ceiling: '/top.yaml' });
    if (!loaded.success) throw new Error(loaded.error.message);
    expect(commandTerms(loaded.value.snapshot.policy)).to.match(
      /^Pipes.*Only programs.*Network for some.*Nothing runs/,
    );
  });
});
