import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ToolRegistry } from '../../../src/application/ports/tool/tool-registry.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { isDescription } from '../../../src/presentation/docs/specification/plain-words.js';
import { ExampleWorkspace } from '../../support/example-workspace.js';

const LITERALS = ['CREATE_DOCUMENT', 'UPDATE_DOCUMENT', 'DELETE_DOCUMENT', 'DELETE_PATH'];

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
      const siblings = LITERALS.filter((other) => other !== literal);
      for (const wrong of [undefined, '', literal.toLowerCase(), 'YES', true, ...siblings]) {
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
    // With .md the longest name has 103: the limit is on what the caller writes.
    for (const name of ['x', 'x'.repeat(98), 'x'.repeat(99), 'x'.repeat(100)]) {
      expect(
        await refusal('create_document', { ...place, name, explicit_action: 'CREATE_DOCUMENT' }),
        String(name.length),
      ).to.equal('passed');
    }
  });

  it('S1-12: every argument of the tools that change documents is described', async () => {
    const tools = castellan.tools('knowledge').filter(({ name }) => /_document$/.test(name));
    expect(tools).to.have.length(3);
    for (const { name, inputSchema } of tools) {
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
        expect(
          'description' in schema && isDescription(String(schema.description)),
          `${name} ${field}`,
        ).to.equal(true);
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

  it('S3-20: code has at most 50000 characters, a decision 5000, its context 2000; each limit itself passes', async () => {
    const limits = [
      ['validate_against_pattern', 'code', 50_000, { pattern_name: 'none-such' }],
      ['check_adr_alignment', 'decision_description', 5_000, {}],
      ['check_adr_alignment', 'decision_context', 2_000, { decision_description: 'Use one database.' }],
      ['search_architecture', 'query', 500, {}],
    ] as const;
    for (const [tool, field, limit, rest] of limits) {
      const over = await refusal(tool, { ...rest, [field]: 'x'.repeat(limit + 1) });
      expect(over, `${tool} ${field}`).to.equal('ToolValidationError');
      const within = await refusal(tool, { ...rest, [field]: 'x'.repeat(limit) });
      expect(within, `${tool} ${field}`).to.be.oneOf(['passed', 'NotFoundError']);
    }
  });

  it('S3-28: without max_results there are ten, and without a type every kind is searched', async () => {
    for (let index = 0; index < 12; index += 1) {
      const file = `docs/${index % 2 === 0 ? 'guidelines' : 'patterns'}/zebra-${index}.md`;
      workspace.disk.file(join(workspace.disk.root, file), `# Zebra ${index}\n\nA zebra has stripes.\n`);
    }
    await castellan.close();
    castellan = await workspace.open();
    const found = async (args: Record<string, unknown>) => {
      const outcome = await castellan.execute('search_architecture', { query: 'zebra', ...args });
      if (!outcome.success) throw new Error(outcome.error.message);
      const value: unknown = outcome.value.structured?.value;
      return JSON.parse(JSON.stringify(value));
    };
    const byDefault = await found({});
    expect(byDefault.results).to.have.length(10);
    expect(byDefault.total_matches).to.equal(12);
    const kinds = new Set(byDefault.results.map((each: { resource_type: string }) => each.resource_type));
    expect([...kinds].sort()).to.deep.equal(['guidelines', 'patterns']);
    expect((await found({ max_results: 20 })).results).to.have.length(12);
    expect((await found({ resource_type: 'adr' })).results).to.have.length(0);
  });

  it('S3-28: max_results is from 1 to 20', async () => {
    for (const max_results of [0, 21, 200, -1, 1.5, 'ten']) {
      expect(
        await refusal('search_architecture', { query: 'tool', max_results }),
        String(max_results),
      ).to.equal('ToolValidationError');
    }
    for (const max_results of [1, 20]) {
      expect(await refusal('search_architecture', { query: 'tool', max_results })).to.equal('passed');
    }
  });

  it('S0-41, S0-42: what deletes a path or changes a document runs on its own exact literal only', async () => {
    const bare = { category_dir: 'guidelines', name: 'outdated' };
    const calls: Readonly<Record<string, readonly [string, Record<string, unknown>]>> = {
      delete_path: ['DELETE_PATH', { path: 'README.md' }],
      create_document: ['CREATE_DOCUMENT', { ...bare, name: 'brand-new', content: 'x' }],
      update_document: ['UPDATE_DOCUMENT', { ...bare, content: 'x' }],
      delete_document: ['DELETE_DOCUMENT', bare],
    };
    for (const [tool, [literal, args]] of Object.entries(calls)) {
      for (const wrong of [undefined, literal.toLowerCase(), `${literal} `, 'YES', true]) {
        const given = { ...args, ...(wrong !== undefined && { explicit_action: wrong }) };
        expect(await refusal(tool, given), `${tool} ${String(wrong)}`).to.equal('ToolValidationError');
      }
      expect(await refusal(tool, { ...args, explicit_action: literal }), tool).to.equal('passed');
    }
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
