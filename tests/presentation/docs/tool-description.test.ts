import { expect } from 'chai';
import { describe, it } from 'mocha';
import * as Type from 'typebox';
import { isDescription, placeholderIn } from '../../../src/presentation/docs/specification/plain-words.js';
import { buildToolDescription } from '../../../src/presentation/docs/tool-description.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import { toolArguments } from '../../../src/presentation/tools/tool-arguments.js';
import { definition } from '../../support/sample-tool.js';

const SECTIONS = ['## Description', '## JSON Schema', '## Usage', '## Examples'];

const consenting = definition({
  name: 'create_document',
  explicitAction: 'CREATE_DOCUMENT',
  input: toolArguments({
    name: Type.String({ description: 'Its name.' }),
    explicit_action: Type.Literal('CREATE_DOCUMENT', { description: 'Consent.' }),
  }),
});

function section(text: string, title: string): string {
  const after = text.slice(text.indexOf(title) + title.length);
  const end = after.indexOf('\n## ');
  return end === -1 ? after : after.slice(0, end);
}

describe('buildToolDescription', () => {
  const full = buildToolDescription(definition(), 'full');

  it('S0-54, S0-59: has the four labelled sections in order', () => {
    const places = SECTIONS.map((title) => full.indexOf(`\n${title}\n`));
    expect(places.every((place) => place > 0)).to.equal(true);
    expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    expect(section(full, '## Description')).to.contain('Answers with a sample, for tests.');
  });

  it('S0-16, S1-10: holds the words of the tool and its generated schema', () => {
    expect(full.split('\n')[0]).to.equal('A sample.');
    expect(full).to.contain(JSON.stringify(definition().input, undefined, 2));
    expect(full).to.contain('- `text` (string, optional): Any text.');
  });

  it('S0-56: the whole schema stands in a fence marked as JSON, and is said to be exact', () => {
    const text = section(full, '## JSON Schema');
    const [, json = ''] = /```json\n([\s\S]*?)\n```/.exec(text) ?? [];
    expect(JSON.parse(json)).to.deep.equal(definition().input);
    expect(text).to.contain('exactly');
  });

  it('S0-57: the usage shows the general call, marked as code', () => {
    const text = section(buildToolDescription(consenting, 'full'), '## Usage');
    expect(text).to.contain('```text\ncreate_document(name, explicit_action)\nCall it with a text.\n```');
    expect(section(full, '## Usage')).to.contain('sample(text?)');
  });

  it('S0-58: each example has its explanation and concrete values, marked as code', () => {
    expect(section(full, '## Examples')).to.contain(
      'A text comes back:\n```json\n{"tool_name":"sample","arguments":{"text":"hello"}}\n```',
    );
  });

  for (const style of ['full', 'concise'] as const) {
    it(`S0-43: a tool with an explicit action says REQUIRES EXPLICIT USER INSTRUCTION (${style})`, () => {
      const text = buildToolDescription(consenting, style);
      expect(text).to.contain('REQUIRES EXPLICIT USER INSTRUCTION');
      expect(buildToolDescription(definition(), style)).not.to.contain('REQUIRES EXPLICIT');
    });

    it(`S0-44, S0-45: it explains the consent and warns against frivolous use (${style})`, () => {
      const text = buildToolDescription(consenting, style);
      expect(text).to.contain('consent is stated by explicit_action, which must be "CREATE_DOCUMENT"');
      expect(text).to.contain('Do not use it frivolously');
    });
  }

  it('S1-09: the concise style is what the tool is for and its consent, and much shorter', () => {
    const concise = buildToolDescription(consenting, 'concise');
    expect(concise.startsWith('A sample. ')).to.equal(true);
    expect(concise).to.contain('\nREQUIRES EXPLICIT USER INSTRUCTION');
    expect(concise).not.to.contain('## ');
    expect(concise.length).to.be.below(buildToolDescription(consenting, 'full').length * 0.75);
  });
});

describe('the descriptions of the built-in tools', () => {
  for (const tool of builtinTools) {
    it(`S0-55: the first line of ${tool.name} has at most 50 characters`, () => {
      expect(buildToolDescription(tool, 'full').split('\n')[0]?.length).to.be.within(1, 50);
    });

    it(`S0-60: every argument of ${tool.name} is described, and the text carries it`, () => {
      const text = buildToolDescription(tool, 'full');
      for (const [name, property] of Object.entries(tool.input.properties ?? {})) {
        const described = 'description' in property ? String(property.description) : '';
        expect(isDescription(described), name).to.equal(true);
        expect(text).to.contain(JSON.stringify(described));
      }
    });

    it(`S0-58: ${tool.name} has examples of concrete values`, () => {
      expect(tool.examples.length).to.be.above(0);
      for (const { arguments: args } of tool.examples)
        expect(placeholderIn(JSON.stringify(args))).to.equal(undefined);
    });
  }
});
