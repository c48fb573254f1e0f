import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ToolRegistry } from '../../../src/application/ports/tool-registry.js';
import type { Castellan } from '../../../src/composition/castellan.js';
import { createCastellan } from '../../../src/composition/create-castellan.js';
import { ExampleWorkspace } from '../../support/example-workspace.js';

describe('The knowledge tools, through the whole pipeline', () => {
  let workspace: ExampleWorkspace;
  let castellan: Castellan;

  beforeEach(async () => {
    workspace = new ExampleWorkspace();
    castellan = await workspace.open();
  });

  afterEach(async () => {
    await castellan.close();
    workspace.dispose();
  });

  async function refusal(tool: string, args: Record<string, unknown>): Promise<string> {
    const outcome = await castellan.execute(tool, args);
    return outcome.success ? 'passed' : outcome.errorType;
  }

  const place = { category_dir: 'guidelines', name: 'writing-tools', content: 'x' };

  it('S1-13: each change needs its own exact literal', async () => {
    for (const [tool, literal] of [
      ['create_document', 'CREATE_DOCUMENT'],
      ['update_document', 'UPDATE_DOCUMENT'],
      ['delete_document', 'DELETE_DOCUMENT'],
    ] as const) {
      const { content, ...bare } = place;
      const args = tool === 'delete_document' ? bare : { ...bare, content };
      for (const wrong of [undefined, '', literal.toLowerCase(), 'YES', true]) {
        expect(
          await refusal(tool, { ...args, ...(wrong !== undefined && { explicit_action: wrong }) }),
        ).to.equal('ToolValidationError');
      }
    }
    expect(readFileSync(join(workspace.disk.root, 'docs/guidelines/writing-tools.md'), 'utf8')).to.match(
      /^# writing/,
    );
  });

  it('S1-12: a name of 0 or 101 characters does not pass validation', async () => {
    for (const name of ['', 'x'.repeat(101)]) {
      expect(
        await refusal('create_document', { ...place, name, explicit_action: 'CREATE_DOCUMENT' }),
      ).to.equal('ToolValidationError');
    }
  });

  it('S3-20: a query of 501 characters or 21 results do not pass validation', async () => {
    expect(await refusal('search_architecture', { query: 'x'.repeat(501) })).to.equal('ToolValidationError');
    expect(await refusal('search_architecture', { query: 'x', max_results: 21 })).to.equal(
      'ToolValidationError',
    );
    expect(await refusal('search_architecture', { query: 'x', max_results: 0 })).to.equal(
      'ToolValidationError',
    );
    expect(await refusal('search_architecture', { query: 'x'.repeat(500), max_results: 20 })).to.equal(
      'passed',
    );
  });

  it('S3-28: the type is one of four', async () => {
    expect(await refusal('search_architecture', { query: 'x', resource_type: 'code' })).to.equal(
      'ToolValidationError',
    );
    for (const resource_type of ['all', 'guidelines', 'patterns', 'adr']) {
      expect(await refusal('search_architecture', { query: 'tool', resource_type })).to.equal('passed');
    }
  });

  it('a path that the policy denies is denied to documents as well', async () => {
    const frozen = { ...place, name: 'frozen', explicit_action: 'UPDATE_DOCUMENT' };
    expect(await refusal('update_document', frozen)).to.equal('PermissionDeniedError');
    expect(await refusal('update_document', { ...frozen, name: 'outdated' })).to.equal('passed');
  });

  it('get_content answers with plain text and no envelope', async () => {
    const outcome = await castellan.execute('get_content', { expression: 'guidelines/outdated' });
    if (!outcome.success) throw new Error(outcome.error.message);
    expect(outcome.value.structured).to.equal(undefined);
    expect(outcome.value.content).to.deep.equal([
      { type: 'text', text: '# outdated\n\nA tool returns its failures.\n' },
    ]);
  });

  it('without categories there are no knowledge tools', async () => {
    const bare = await createCastellan({
      workspace: workspace.disk.root,
      logLevel: 'silent',
      environment: { ...process.env, XDG_STATE_HOME: workspace.disk.state },
    });
    const names = bare.container
      .get(ToolRegistry)
      .listEnabled()
      .map(({ tool }) => String(tool.name));
    expect(names).to.include('get_project_config').and.not.include('get_content');
    await bare.close();
  });
});
