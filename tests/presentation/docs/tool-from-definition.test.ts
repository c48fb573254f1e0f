import { expect } from 'chai';
import { describe, it } from 'mocha';
import { DEFAULT_BUDGET, MAX_UNEXPLAINED_TIMEOUT_MS } from '../../../src/application/call/call-budget.js';
import { toolFromDefinition } from '../../../src/presentation/docs/tool-from-definition.js';
import { definition, mustFail, mustValue } from '../../support/sample-tool.js';

describe('toolFromDefinition', () => {
  it('S1-05: what is said beyond name and schema reaches tools/list unchanged', () => {
    const icons = [{ src: 'https://example.com/i.png', sizes: ['48x48'] }];
    const tool = mustValue(
      toolFromDefinition(
        definition({
          title: 'My Title',
          icons,
          tags: ['a'],
          version: '3.2.1',
          effects: { readOnly: true, openWorld: false },
          annotations: { 'x-colour': 'blue', readOnlyHint: false },
          meta: { 'acme/owner': ['a'], 'castellan/version': '9.9.9' },
        }),
        'full',
      ),
    );
    const mcp = tool.toMcpFormat();
    expect(mcp).to.deep.include({ title: 'My Title', icons });
    expect(mcp.annotations).to.deep.include({ readOnlyHint: true, openWorldHint: false });
    // Hints stay what the effects say: a client must be able to rely on one place.
    expect(mcp.annotations).to.deep.include({ 'x-colour': 'blue' });
    expect(mcp._meta).to.deep.equal({
      'acme/owner': ['a'],
      'castellan/version': '3.2.1',
      'castellan/category': 'test',
      'castellan/tags': ['a'],
    });
  });

  it('S0-37: the description is the generated one, in the style asked for', () => {
    expect(mustValue(toolFromDefinition(definition(), 'full')).description).to.contain('## JSON Schema');
    expect(mustValue(toolFromDefinition(definition(), 'concise')).description).not.to.contain('##');
  });

  it('has an output schema for structured tools only', () => {
    expect(mustValue(toolFromDefinition(definition(), 'full')).outputSchema).to.equal(undefined);
    const structured = mustValue(toolFromDefinition(definition({ output: { type: 'integer' } }), 'full'));
    expect(structured.outputSchema).to.have.nested.property('properties.value.type', 'integer');
  });

  it('keeps prefix, aliases and explicit action', () => {
    const tool = mustValue(
      toolFromDefinition(definition({ prefix: '', aliases: ['old'], explicitAction: 'DO_IT' }), 'full'),
    );
    expect([tool.prefix, tool.aliases, tool.explicitAction]).to.deep.equal(['', ['old'], 'DO_IT']);
  });

  it('S3-15: the timeout is 10 s by default and at most 30 s unless the tool says why', () => {
    expect([DEFAULT_BUDGET.timeoutMs, MAX_UNEXPLAINED_TIMEOUT_MS]).to.deep.equal([10_000, 30_000]);
    expect(toolFromDefinition(definition({ budget: { timeoutMs: 30_000 } }), 'full').success).to.equal(true);
    const long = definition({ budget: { timeoutMs: 30_001 } });
    expect(mustFail(toolFromDefinition(long, 'full')).error).to.contain('whyLonger');
    expect(toolFromDefinition({ ...long, whyLonger: 'A model thinks.' }, 'full').success).to.equal(true);
  });

  it('S3-07: passes on why a definition is no tool', () => {
    expect(mustFail(toolFromDefinition(definition({ name: 'No Name' }), 'full')).errorType).to.equal(
      'InvalidToolName',
    );
    expect(mustFail(toolFromDefinition(definition({ version: 'x' }), 'full')).errorType).to.equal(
      'InvalidTool',
    );
  });
});
