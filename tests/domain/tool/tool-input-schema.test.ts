import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Tool } from '../../../src/domain/tool/tool.js';
import {
  closedObjectSchema,
  parseToolInputSchema,
  ToolInputSchema,
} from '../../../src/domain/tool/tool-input-schema.js';
import { envelopeSchema } from '../../../src/presentation/docs/envelope-schema.js';
import { mustFail, mustValue } from '../../support/sample-tool.js';

describe('ToolInputSchema', () => {
  it('S4-05: properties and required names become {type: "object", …}, in what the server sends', () => {
    const path = { type: 'string' };
    const schema = ToolInputSchema.of({ path }, ['path']);
    const made = { type: 'object', properties: { path }, required: ['path'], additionalProperties: false };
    expect(schema).to.deep.equal(made);
    const tool = mustValue(Tool.create({ name: 'x', description: 'X.', inputSchema: schema }));
    expect(tool.toMcpFormat().inputSchema).to.deep.equal(made);
    const { type, required, additionalProperties } = envelopeSchema({ type: 'integer' });
    expect({ type, required, additionalProperties }).to.deep.equal({
      type: 'object',
      required: ['success', 'status'],
      additionalProperties: false,
    });
  });

  it('S4-05: a tool is made only from a schema that it accepts', () => {
    for (const inputSchema of [undefined, [], { type: 'string' }, { type: 'object', required: 'path' }]) {
      expect(ToolInputSchema.parse(inputSchema).success).to.equal(false);
      const tool = Tool.create({ name: 'x', description: 'X.', inputSchema });
      expect(mustFail(tool).errorType).to.equal('InvalidToolSchema');
    }
  });
});

describe('closedObjectSchema', () => {
  it('S4-05: properties and required names become an object schema that takes nothing else', () => {
    const path = { type: 'string' };
    expect(closedObjectSchema({ path }, ['path'])).to.deep.equal({
      type: 'object',
      properties: { path },
      required: ['path'],
      additionalProperties: false,
    });
    expect(closedObjectSchema({})).to.deep.equal({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });
});

describe('parseToolInputSchema', () => {
  it('takes an embedder’s schema as it is', () => {
    const schema = {
      type: 'object',
      properties: { a: true },
      $defs: { x: {} },
      additionalProperties: { type: 'string' },
    };
    expect(mustValue(parseToolInputSchema(schema))).to.equal(schema);
    expect(parseToolInputSchema({ type: 'object' }).success).to.equal(true);
  });

  const invalid: readonly unknown[] = [
    undefined,
    null,
    'object',
    [],
    {},
    { type: 'string' },
    { type: 'object', properties: [] },
    { type: 'object', properties: { a: 'string' } },
    { type: 'object', properties: { a: null } },
    { type: 'object', required: 'a' },
    { type: 'object', required: [1] },
  ];
  for (const schema of invalid) {
    it(`S3-07: ${JSON.stringify(schema) ?? 'nothing'} is an InvalidToolSchema`, () => {
      expect(mustFail(parseToolInputSchema(schema)).errorType).to.equal('InvalidToolSchema');
    });
  }
});
