import { expect } from 'chai';
import { ExplainPermissionHandler } from '../../../src/application/permission/explain-permission.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { policyFile } from '../../support/policy-file.js';

describe('ExplainPermissionHandler, beside the call itself', () => {
  let castellan: Castellan;

  beforeEach(async () => {
    castellan = await createCastellan({
      policy: policyFile(`
tools:
  echo: {}
  read_file: { allowed_paths: ["."], arguments: { encoding: { const: latin1 } } }
  list_directory: { allowed_paths: ["."], arguments: { recursive: { const: false } } }
  claude_conversation: {}
`),
      config: policyFile('tools: { exclude: [ai], enabled_by: { echo: never-set } }\n'),
      logLevel: 'silent',
    });
  });

  afterEach(() => castellan.close());

  const explainer = () => castellan.container.get(ExplainPermissionHandler);

  const rows: readonly [string, Record<string, unknown>, string, string][] = [
    ['read_file', { path: 'README.md' }, 'ARGUMENT', 'permission-denied'],
    ['echo', {}, 'DISABLED', 'disabled'],
    ['claude_conversation', { message: 'x' }, 'UNKNOWN_TOOL', 'not-found'],
  ];
  for (const [tool, args, reason, kind] of rows) {
    it(`says ${reason} where ${tool} is refused as ${kind}`, async () => {
      const query = { caller: LOCAL_EMBEDDED, tool, arguments: args };
      expect(await explainer().handle(query)).to.include({ effect: 'deny', reason });
      expect(await explainer().handleSafely(query)).to.include({ allowed: false, reason });
      const outcome = await castellan.execute(tool, args);
      expect(!outcome.success && outcome.error.kind).to.equal(kind);
    });
  }

  it('tells of arguments that do not fit where the policy would not mind', async () => {
    const query = { caller: LOCAL_EMBEDDED, tool: 'list_directory', arguments: { path: 7 } };
    const { effect, message } = await explainer().handle(query);
    expect(effect).to.equal('allow');
    expect(message).to.contain('the call would fail: path must be');
  });

  it('says so where the call passes', async () => {
    const query = { caller: LOCAL_EMBEDDED, tool: 'list_directory', arguments: {} };
    expect(await explainer().handle(query)).to.include({ effect: 'allow' });
    expect((await castellan.execute('list_directory', {})).success).to.equal(true);
  });
});
