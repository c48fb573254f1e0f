import { expect } from 'chai';
import { describe, it } from 'mocha';
import * as Type from 'typebox';
import type { ToolDefinition } from '../../../src/application/tool/tool-definition.js';
import { missingFromTool, undescribedInRawSchema } from '../../../src/presentation/docs/tool-conventions.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import { toolArguments } from '../../../src/presentation/tools/tool-arguments.js';
import { definition } from '../../support/sample-tool.js';

/** As JavaScript may write it, where no type asks for anything. */
function without(...keys: readonly (keyof ToolDefinition)[]): ToolDefinition {
  const parts = definition();
  for (const key of keys) Reflect.deleteProperty(parts, key);
  return parts;
}

const undescribed = toolArguments({
  path: Type.String(),
  edits: Type.Array(
    Type.Object({ old_text: Type.String(), new_text: Type.String({ description: 'New.' }) }),
    { description: 'Edits.' },
  ),
  place: Type.Object({ line: Type.Integer() }, { description: 'Place.' }),
});

describe('Conventions of tools', () => {
  for (const key of ['summary', 'description', 'usage', 'examples'] as const) {
    it(`C31, S0-54: a definition without ${key} is refused, and the message names it`, () => {
      expect(missingFromTool(without(key))).to.contain(`lacks \`${key}\``);
    });

    it(`C31, S0-54: so is one whose ${key} is empty`, () => {
      const empty = key === 'examples' ? [] : '  ';
      expect(missingFromTool(definition({ [key]: empty }))).to.contain(`\`${key}\``);
    });
  }

  it('C31: everything that is missing is named at once', () => {
    const message = missingFromTool({ ...without('description', 'examples'), input: undescribed });
    expect(message).to.match(/^The tool sample cannot be registered, because its definition lacks /);
    for (const part of ['`description`', '`examples`', 'argument path', 'add-a-tool']) {
      expect(message).to.contain(part);
    }
  });

  it('C31, S0-60: an argument without a description is refused, members of lists and objects too', () => {
    const message = missingFromTool(definition({ input: undescribed }));
    for (const path of ['path', 'edits[].old_text', 'place.line']) {
      expect(message).to.contain(`a description of the argument ${path}`);
    }
    expect(message).not.to.contain('new_text');
  });

  it("C31: an embedder's own JSON Schema gets a warning, which strict: false silences", () => {
    const raw = definition({ input: { type: 'object', properties: { word: { type: 'string' } } } });
    expect(missingFromTool(raw)).to.equal(undefined);
    expect(undescribedInRawSchema(raw)).to.contain('argument word').and.to.contain('strict: false');
    expect(undescribedInRawSchema({ ...raw, strict: false })).to.equal(undefined);
    expect(undescribedInRawSchema(definition())).to.equal(undefined);
  });

  it('C31: the built-in tools keep them', () => {
    for (const tool of builtinTools) expect(missingFromTool(tool), tool.name).to.equal(undefined);
  });
});
