import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { policyFile } from '../../support/policy-file.js';
import { definition } from '../../support/sample-tool.js';

const NOTES = {
  message: 'Saved, key ghp_0123456789abcdefghijABCDEFGHIJ012345 here.',
  instruction: 'Go on.',
};
const SECRET = 'ghp_0';

describe('the notes of a success, in process', () => {
  const options = isolatedOptions();
  let castellan: Castellan;
  afterEach(() => castellan.close());

  const tools = [
    definition({ name: 'structured', output: { type: 'object' }, run: () => Result.ok({ n: 0 }, NOTES) }),
    definition({ name: 'worded', run: () => Result.ok(ToolResult.text('done'), NOTES) }),
  ];

  it('S0-09, S1-15: message and instruction are on the Result of execute(), for every kind of tool', async () => {
    const policy = policyFile('tools: { structured: {}, worded: {} }\n');
    castellan = await createCastellan({ ...options, policy, tools });
    for (const { name } of tools) {
      const outcome = await castellan.execute(name, {});
      expect(outcome.success, name).to.equal(true);
      expect(outcome.message, name).to.equal(NOTES.message);
      expect(outcome.instruction, name).to.equal('Go on.');
    }
  });

  it('S3-18: what the policy takes out of results is taken out of them as well', async () => {
    const policy = policyFile(
      'tools: { structured: {}, worded: {} }\nredaction: { builtin: [github], results: true }\n',
    );
    castellan = await createCastellan({ ...options, policy, tools });
    for (const { name } of tools) {
      const { message } = await castellan.execute(name, {});
      expect(message, name).to.contain('Saved, key ').and.not.to.contain(SECRET);
    }
  });
});
