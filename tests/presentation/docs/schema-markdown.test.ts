import { expect } from 'chai';
import { describe, it } from 'mocha';
import * as Type from 'typebox';
import { schemaRows, schemaType, toSchemaMarkdown } from '../../../src/presentation/docs/schema-markdown.js';
import { toolArguments } from '../../../src/presentation/tools/tool-arguments.js';

const ARGUMENTS = toolArguments({
  path: Type.String({ description: 'Where the file is.', examples: ['src/index.ts'] }),
  limit: Type.Optional(Type.Integer({ description: 'How many.', default: 10 })),
  explicit_action: Type.Literal('CREATE_DOCUMENT', { description: 'Consent.' }),
  mode: Type.Optional(Type.Union([Type.Literal('fast'), Type.Literal('slow')], { description: 'Speed.' })),
  tags: Type.Optional(Type.Array(Type.String(), { description: 'Labels.' })),
});

describe('toSchemaMarkdown', () => {
  it('S0-13, S0-14: has a line for each argument with name, type, required or optional, and description', () => {
    const lines = toSchemaMarkdown(ARGUMENTS).split('\n');
    expect(lines).to.have.length(5);
    expect(lines[0]).to.equal('- `path` (string, required): Where the file is.');
    expect(lines[1]).to.equal('- `limit` (integer, optional): How many.');
    expect(lines[4]).to.equal('- `tags` (array of string, optional): Labels.');
  });

  it('S0-15: shows the values of literals and enumerations', () => {
    const markdown = toSchemaMarkdown(ARGUMENTS);
    expect(markdown).to.contain('`explicit_action` (literal "CREATE_DOCUMENT", required)');
    expect(markdown).to.contain('`mode` ("fast" | "slow", optional)');
    expect(schemaType({ enum: ['a', 1] })).to.equal('one of "a" | 1');
  });

  it('says so when there are no arguments', () => {
    expect(toSchemaMarkdown({ type: 'object', properties: {} })).to.equal('No arguments.');
    expect(toSchemaMarkdown({ type: 'object' })).to.equal('No arguments.');
  });

  const types: readonly (readonly [unknown, string])[] = [
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ type: 'string' }, { type: 'string' }, { type: 'number' }] }, 'string | number'],
    [{ type: 'array' }, 'array of any'],
    [{}, 'any'],
    [true, 'any'],
  ];
  for (const [schema, words] of types) {
    it(`calls ${JSON.stringify(schema)} ${words}`, () => expect(schemaType(schema)).to.equal(words));
  }

  it('gives an example of each argument that has one', () => {
    const examples = schemaRows(ARGUMENTS).map(({ example }) => example);
    expect(examples).to.deep.equal(['"src/index.ts"', '10', '"CREATE_DOCUMENT"', undefined, undefined]);
  });
});
