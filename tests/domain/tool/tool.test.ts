import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Tool } from '../../../src/domain/tool/tool.js';
import { closedObjectSchema } from '../../../src/domain/tool/tool-input-schema.js';
import { mustFail, sampleTool } from '../../support/sample-tool.js';

const inputSchema = closedObjectSchema({ path: { type: 'string' } }, ['path']);

describe('Tool', () => {
  it('S4-01: has name, description, schema, category and tags, and is enabled', () => {
    const tool = sampleTool({
      name: 'read_file',
      description: 'Read.',
      inputSchema,
      category: 'file',
      tags: ['io'],
    });
    expect(tool).to.include({
      name: 'read_file',
      description: 'Read.',
      inputSchema,
      category: 'file',
      enabled: true,
    });
    expect(tool.tags).to.deep.equal(['io']);
    expect(sampleTool().category).to.equal(undefined);
    expect(sampleTool().tags).to.deep.equal([]);
  });

  it('S4-02, S3-05: create makes a tool of name, description and schema', () => {
    const made = Tool.create({ name: 'echo', description: 'Echo.', inputSchema: { type: 'object' } });
    expect(made.success && [made.value.name, made.value.description, made.value.inputSchema]).to.deep.equal([
      'echo',
      'Echo.',
      { type: 'object' },
    ]);
  });

  const invalid = [
    ['a name that is none', { name: 'Not A Name' }, 'InvalidToolName'],
    ['a schema that is none', { inputSchema: { type: 'string' } }, 'InvalidToolSchema'],
    ['no description', { description: '  ' }, 'InvalidTool'],
    ['a version that is no semver', { version: '1.0' }, 'InvalidTool'],
    ['a version with leading zeros', { version: '01.0.0' }, 'InvalidTool'],
  ] as const;
  for (const [title, wrong, errorType] of invalid) {
    it(`S3-07: ${title} is refused as ${errorType}`, () => {
      const made = Tool.create({ name: 'echo', description: 'Echo.', inputSchema, ...wrong });
      expect(mustFail(made).errorType).to.equal(errorType);
    });
  }

  it('S4-03: is switched off and on', () => {
    const tool = sampleTool();
    tool.disable();
    expect(tool.enabled).to.equal(false);
    tool.enable();
    expect(tool.enabled).to.equal(true);
  });

  it('S4-03, S3-03: toMcpFormat is the entry of tools/list', () => {
    const tool = sampleTool({
      name: 'read_file',
      description: 'Read.',
      inputSchema,
      version: '2.1.0',
      category: 'file',
      tags: ['io'],
      hints: { readOnly: true, destructive: false },
    });
    expect(tool.toMcpFormat()).to.deep.equal({
      name: 'read_file',
      title: 'Read file',
      description: 'Read.',
      inputSchema,
      annotations: { readOnlyHint: true },
      _meta: { 'castellan/version': '2.1.0', 'castellan/category': 'file', 'castellan/tags': ['io'] },
    });
  });

  it('shows title, output schema and icons when it has them', () => {
    const outputSchema = closedObjectSchema({});
    const icons = [{ src: 'https://example.com/i.png' }];
    expect(sampleTool({ title: 'My tool', outputSchema, icons }).toMcpFormat()).to.deep.include({
      title: 'My tool',
      outputSchema,
      icons,
    });
  });

  it('S0-25, S1-03: its own prefix overrides the server’s', () => {
    expect(sampleTool().wireName('guide')).to.equal('guide_sample');
    expect(sampleTool({ prefix: 'mine' }).wireName('guide')).to.equal('mine_sample');
  });

  it('S0-26, S1-03: its own empty prefix disables the server’s', () => {
    expect(sampleTool({ prefix: '' }).wireName('guide')).to.equal('sample');
    expect(sampleTool({ prefix: '' }).toMcpFormat('guide').name).to.equal('sample');
  });
});
