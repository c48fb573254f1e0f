import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { isJsonObject } from '../../../src/domain/json-value.js';
import {
  parseSpecification,
  tableRows,
} from '../../../src/presentation/docs/specification/specification-parser.js';
import { specifyTool } from '../../../src/presentation/docs/specification/tool-specification.js';
import { toolFromDefinition } from '../../../src/presentation/docs/tool-from-definition.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import { mustValue } from '../../support/sample-tool.js';

const ROOT = join(import.meta.dirname, '../../..');
const README = readFileSync(join(ROOT, 'src/presentation/tools/README.md'), 'utf8');
const PROMPTS = join(ROOT, 'config/prompts');

type Field = Readonly<Record<string, unknown>>;

function fieldsOf(schema: unknown): readonly (readonly [string, Field])[] {
  if (!isJsonObject(schema)) return [];
  const members = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...members.flatMap(([name, field]) =>
      isJsonObject(field) ? [[name, field] as const, ...fieldsOf(field)] : [],
    ),
    ...fieldsOf(schema.items),
  ];
}

/** Descriptions that stand for fields of more than so many names. */
function repeated(fields: readonly (readonly [string, Field])[], most: number): readonly string[] {
  const names = new Map<string, Set<string>>();
  for (const [name, { description }] of fields) {
    const words = String(description);
    names.set(words, (names.get(words) ?? new Set()).add(name));
  }
  return [...names].filter(([, of]) => of.size > most).map(([words]) => words);
}

/** The verb of a summary by the first word of the tool's name. */
const VERB_OF: Readonly<Record<string, string>> = {
  copy: 'Copy',
  move: 'Move',
  delete: 'Delete',
  list: 'List',
  read: 'Read',
  write: 'Write',
  search: 'Find',
  set: 'Set',
  stop: 'Stop',
};

describe('texts that tell one tool from another', () => {
  const listed = builtinTools.map((definition) =>
    mustValue(toolFromDefinition(definition, 'concise', 'text')).toMcpFormat(),
  );

  it('S0-60: a description belongs to arguments of one name', () => {
    expect(
      repeated(
        builtinTools.flatMap(({ input }) => fieldsOf(input)),
        1,
      ),
    ).to.deep.equal([]);
    expect(
      repeated(
        listed.flatMap(({ inputSchema }) => fieldsOf(inputSchema)),
        2,
      ),
    ).to.deep.equal([]);
  });

  it('S0-60: an argument with words to choose from shows each, in the list and in the table', () => {
    let choices = 0;
    for (const [index, definition] of builtinTools.entries()) {
      const text = specifyTool(definition);
      for (const [name, field] of fieldsOf(definition.input)) {
        if (!Array.isArray(field.enum)) continue;
        choices += 1;
        expect(field.enum.length, name).to.be.at.least(2);
        const [, shown] = fieldsOf(listed[index]?.inputSchema).find(([other]) => other === name) ?? [];
        expect(shown?.enum, name).to.deep.equal(field.enum);
        const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
        for (const word of field.enum) expect(row, name).to.contain(JSON.stringify(word));
      }
    }
    expect(choices).to.be.at.least(5);
  });

  it('S2-04: no two tools are described or summed up in the same words', () => {
    for (const texts of [
      builtinTools.map(({ description }) => description),
      builtinTools.map(({ summary }) => summary),
      listed.map(({ description }) => description),
      builtinTools.map((definition) => {
        const [tool] = parseSpecification(specifyTool(definition));
        return tool?.text('Tool Purpose and Description') ?? '';
      }),
    ]) {
      expect(texts.filter((text) => text.trim() === '')).to.deep.equal([]);
      expect(new Set(texts).size).to.equal(builtinTools.length);
    }
  });

  it('S2-04: the specification of a tool names that tool', () => {
    const names = builtinTools.map((definition) => {
      const [tool] = parseSpecification(specifyTool(definition));
      expect(tool?.text('Invocation Name')).to.equal(`\`${definition.name}\``);
      return tool?.name;
    });
    expect(names).to.deep.equal(builtinTools.map(({ name }) => name));
    expect(new Set(names).size).to.equal(builtinTools.length);
  });

  it('S2-06: the fields of answers are described one by one', () => {
    const fields = builtinTools.flatMap(({ output }) => fieldsOf(output));
    expect(fields.length).to.be.above(50);
    expect(repeated(fields, 2)).to.deep.equal([]);
    for (const definition of builtinTools) {
      const [tool] = parseSpecification(specifyTool(definition));
      const rows = tableRows(tool?.text('Output Schema (Return Value)') ?? '');
      for (const [name, { description }] of fieldsOf(definition.output)) {
        if (description === undefined) continue;
        const words = rows.filter(({ Name = '' }) => Name.replaceAll('`', '').endsWith(`.${name}`));
        expect(words.map((row) => JSON.stringify(row)).join(), `${definition.name}: ${name}`).to.contain(
          JSON.stringify(description).slice(1, -1),
        );
      }
    }
  });

  it('S2-20: a summary has one verb, that of the tool', () => {
    const verbs = Object.values(VERB_OF).concat('rename', 'remove', 'create', 'run').join('|');
    for (const { name, summary } of builtinTools) {
      const wanted = VERB_OF[name.split('_')[0] ?? ''];
      if (wanted !== undefined) expect(summary.split(' ')[0], name).to.equal(wanted);
      if (!name.startsWith('set_'))
        expect(summary, name).not.to.match(new RegExp(`\\b(?:or|and) (?:${verbs})\\b`, 'i'));
    }
  });
});

describe('where the templates are', () => {
  it('S0-63: every shipped prompt points to the README beside it, every tool file to that of the tools', () => {
    const prompts = readdirSync(PROMPTS).filter((name) => name.endsWith('.json'));
    expect(prompts.length).to.be.at.least(4);
    for (const name of prompts) {
      const { $comment } = JSON.parse(readFileSync(join(PROMPTS, name), 'utf8'));
      const [file = 'none'] = /[\w./-]*README\.md/.exec(String($comment)) ?? [];
      expect(existsSync(join(PROMPTS, file)), name).to.equal(true);
    }
    const tools = join(ROOT, 'src/presentation/tools');
    for (const file of readdirSync(tools, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.tool.ts'))
        expect(readFileSync(join(tools, file), 'utf8').split('\n', 1)[0], file).to.equal(
          '// How a tool is written: ../README.md',
        );
  });

  it('S0-64: the template of a tool is a whole definition, whose fields say purpose and values', () => {
    const [, code = ''] = /```ts\n(.*?)```/s.exec(README) ?? [];
    for (const key of [
      'name',
      'version',
      'category',
      'summary',
      'description',
      'usage',
      'examples',
      'effects',
    ])
      expect(code, key).to.match(new RegExp(`^  ${key}: `, 'm'));
    for (const key of ['errors', 'security', 'input', 'output', 'needs', 'permissions', 'run'])
      expect(code, key).to.match(new RegExp(`^  ${key}: `, 'm'));
    const [, input = ''] = /^ {2}input: toolArguments\(\{(.*?)^ {2}\}\),/ms.exec(code) ?? [];
    const fields = [...input.matchAll(/^ {4}(\w+): /gm)].map(([, name]) => name);
    expect(fields).to.have.length.at.least(2);
    const described = [...input.matchAll(/description: '([^']+)'/g)].map(([, words]) => words);
    expect(described).to.have.length(fields.length);
    expect(described.join(' ')).to.contain('1 to 100 characters').and.to.contain('celsius or fahrenheit');
  });

  it('S1-23: an existing tool is brought here in five steps: wrap, log, Result, instruction, explicit use', () => {
    const [, steps = ''] = /## Bringing an existing tool here\n\n(.*)/s.exec(README) ?? [];
    const told = steps.split(/(?:^|\s)\d\. /).slice(1);
    expect(told).to.have.length(5);
    for (const [index, word] of [
      'defineTool',
      'logging',
      'Result',
      'instruction',
      'explicitAction',
    ].entries())
      expect(told[index]).to.contain(word);
  });
});
