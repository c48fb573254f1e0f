import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { PermissionExplanation } from '../../../src/application/permission/explain-permission.js';
import { policyExplainCommand } from '../../../src/presentation/cli/policy-explain-command.js';
import { MemoryOutput } from '../../support/memory-output.js';

const UNKNOWN: PermissionExplanation = {
  effect: 'deny',
  reason: 'UNKNOWN_TOOL',
  message: 'It is no tool.',
  steps: [],
};

async function explained(tool: string, explanation: PermissionExplanation, json: boolean) {
  const output = new MemoryOutput();
  const options = { json, workspace: '/w', toolNames: ['echo', 'read_file'] };
  const code = await policyExplainCommand(async () => explanation, tool, '{}', options, output);
  return { code, output };
}

describe('castellan policy explain', () => {
  it('says of a tool that is none which was meant and which there are, and ends with 1 as a call does', async () => {
    for (const json of [false, true]) {
      const near = await explained('ecoh', UNKNOWN, json);
      expect(near.code).to.equal(1);
      expect(near.output.stdout).to.contain('UNKNOWN_TOOL');
      expect(near.output.stderr).to.equal(
        'Unknown tool: ecoh. Did you mean echo? The tools here: echo, read_file.\n',
      );
      const far = await explained('nosuch', UNKNOWN, json);
      expect(far.output.stderr).to.equal('Unknown tool: nosuch. The tools here: echo, read_file.\n');
    }
  });

  it('says nothing else of a tool that there is, and ends with 0 whatever the decision', async () => {
    const denied: PermissionExplanation = { ...UNKNOWN, reason: 'NO_ALLOW' };
    const { code, output } = await explained('echo', denied, false);
    expect({ code, stderr: output.stderr }).to.deep.equal({ code: 0, stderr: '' });
  });
});
