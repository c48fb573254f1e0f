import { expect } from 'chai';
import { ToolRegistry } from '../../src/application/ports/tool/tool-registry.js';
import type { Castellan } from '../../src/composition/server/castellan.js';
import { ExampleWorkspace } from '../support/example-workspace.js';
import { PipeClient } from '../support/pipe-client.js';
import { runnable } from '../support/sample-tool.js';

/** The components that the tools design lists: each does its work and refuses what it must. */
describe('The listed components, one by one', () => {
  let workspace: ExampleWorkspace;
  let castellan: Castellan;

  before(async () => {
    workspace = new ExampleWorkspace();
    castellan = await workspace.open();
  });
  after(async () => {
    await castellan.close();
    workspace.dispose();
  });

  const kindOf = async (tool: string, args: Record<string, unknown>) => {
    const outcome = await castellan.execute(tool, args);
    return outcome.success ? 'success' : outcome.error.kind;
  };
  const answerOf = async (tool: string, args: Record<string, unknown>) => {
    const outcome = await castellan.execute(tool, args);
    return JSON.parse(JSON.stringify(outcome.success ? outcome.value.structured?.value : outcome.error));
  };

  it('S3-49: the manager registers a tool once, finds it in any spelling and removes it', () => {
    const registry = castellan.container.get(ToolRegistry);
    expect(registry.register(runnable({ name: 'own_tool' })).success).to.equal(true);
    expect(registry.register(runnable({ name: 'own-tool'.replace('-', '_') })).success).to.equal(false);
    expect(registry.get('own-tool')?.tool.name).to.equal('own_tool');
    expect([registry.unregister('own_tool'), registry.unregister('own_tool')]).to.deep.equal([true, false]);
    expect(registry.get('own_tool')).to.equal(undefined);
  });

  it('S3-49: the executor runs what is valid and refuses the rest by its kind', async () => {
    expect(await kindOf('echo', { message: 'x' })).to.equal('success');
    expect(await kindOf('nothing', {})).to.equal('not-found');
    expect(await kindOf('echo', { massage: 'x' })).to.equal('invalid-input');
    expect(await kindOf('read_file', { path: '/etc/shadow' })).to.equal('permission-denied');
  });

  it('S3-49: validate-against-pattern answers for a pattern and refuses a missing one', async () => {
    const report = await answerOf('validate_against_pattern', {
      code: 'x',
      pattern_name: 'port-and-adapter',
    });
    expect(report).to.include({ verdict: 'undetermined', pattern: 'port-and-adapter' });
    expect(await kindOf('validate_against_pattern', { code: 'x', pattern_name: 'none' })).to.equal(
      'execution',
    );
  });

  it('S3-49: search-architecture ranks what fits and finds nothing where nothing does', async () => {
    const { results } = await answerOf('search_architecture', { query: 'failures of a tool' });
    expect(results[0]).to.include({ resource_type: 'guidelines' });
    expect((await answerOf('search_architecture', { query: 'zebra' })).total_matches).to.equal(0);
  });

  it('S3-49: check-adr-alignment lists the record that speaks of the same', async () => {
    const { related_adrs } = await answerOf('check_adr_alignment', {
      decision_description: 'We reduce the start-up time.',
    });
    expect(related_adrs.map(({ title }: { title: string }) => title)).to.deep.equal(['Start-up time']);
  });

  it('S3-49: the handlers answer tools/list and tools/call, and refuse a method that is none', async () => {
    const client = new PipeClient(castellan);
    await client.result('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    expect(JSON.stringify(await client.result('tools/list'))).to.contain('"read_file"');
    const { content } = await client.result('tools/call', { name: 'echo', arguments: { message: 'x' } });
    expect(content).to.deep.equal([{ type: 'text', text: 'Echo: x' }]);
    expect(await client.request('tools/nothing')).to.have.nested.property('error.code', -32601);
    await client.hangUp();
  });
});
