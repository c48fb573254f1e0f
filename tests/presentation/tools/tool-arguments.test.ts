import { expect } from 'chai';
import { describe, it } from 'mocha';
import * as Type from 'typebox';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import { toolArguments } from '../../../src/presentation/tools/tool-arguments.js';

describe('toolArguments', () => {
  it('S0-10, S0-11: is a JSON Schema object that is closed', () => {
    const schema = toolArguments({ path: Type.String(), limit: Type.Optional(Type.Integer()) });
    expect(JSON.parse(JSON.stringify(schema))).to.deep.equal({
      type: 'object',
      required: ['path'],
      properties: { path: { type: 'string' }, limit: { type: 'integer' } },
      additionalProperties: false,
    });
  });

  for (const tool of builtinTools) {
    it(`S0-10: the arguments of ${tool.name} come from it`, () => {
      expect(tool.input).to.include({ type: 'object', additionalProperties: false });
    });
  }
});
