import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ToolDefinition } from '../../../src/application/tool/tool-definition.js';
import { isJsonObject } from '../../../src/domain/json-value.js';
import { isDescription, placeholderIn } from '../../../src/presentation/docs/specification/plain-words.js';
import { buildToolDescription } from '../../../src/presentation/docs/tool-description.js';
import { toolFromDefinition } from '../../../src/presentation/docs/tool-from-definition.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import {
  exampleCountdownTool,
  exampleForgetTool,
} from '../../../src/presentation/tools/example/example-tools.js';

/** What a tool does, as the first word of its summary. */
const VERBS = [
  'Ask',
  'Change',
  'Copy',
  'Count',
  'Create',
  'Delete',
  'Echo',
  'Find',
  'Forget',
  'Hold',
  'List',
  'Make',
  'Move',
  'Read',
  'Replace',
  'Run',
  'Set',
  'Show',
  'Stop',
  'Write',
];

const TESTS = join(import.meta.dirname, '../..');
const testTexts: readonly (readonly [string, string])[] = readdirSync(TESTS, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => [file, readFileSync(join(TESTS, file), 'utf8')]);

function testsThatName(tool: string): readonly string[] {
  const camel = tool.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return testTexts.flatMap(([file, text]) =>
    text.includes(tool) || text.includes(`${camel}Tool`) ? [file] : [],
  );
}

const TOOLS_FOLDER = join(import.meta.dirname, '../../../src/presentation/tools');
const all: readonly ToolDefinition[] = [...builtinTools, exampleCountdownTool, exampleForgetTool];

function toolFiles(): readonly string[] {
  return readdirSync(TOOLS_FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tool.ts'),
  );
}

/** Every field of a schema, however deep, by its path. */
function fieldsOf(
  schema: unknown,
  at = '',
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  if (!isJsonObject(schema)) return [];
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...properties.flatMap(([name, field]) =>
      isJsonObject(field) ? [[`${at}${name}`, field] as const, ...fieldsOf(field, `${at}${name}.`)] : [],
    ),
    ...fieldsOf(schema.items, `${at}[].`),
  ];
}

describe('Conventions every tool keeps', () => {
  it('S3-11: every tool file is in the list of built-in tools', () => {
    const listed = new Set(builtinTools.map(({ name }) => `${name.replaceAll('_', '-')}.tool.ts`));
    const files = toolFiles().map((file) => file.slice(file.lastIndexOf('/') + 1));
    expect(files.sort()).to.deep.equal([...listed].sort());
  });

  it('S0-63: every tool file points to the template near its definition', () => {
    for (const file of toolFiles()) {
      expect(readFileSync(join(TOOLS_FOLDER, file), 'utf8'), file).to.match(/^\/\/ .*\.\.\/README\.md/m);
    }
  });

  it('S0-64: the template shows all four sections and how fields are described', () => {
    const template = readFileSync(join(TOOLS_FOLDER, 'README.md'), 'utf8');
    for (const part of ['summary:', 'description:', 'usage:', 'examples:', 'description:']) {
      expect(template).to.include(part);
    }
    expect(template).to.match(/Type\.String\(\{\s*description: '/);
    expect(template).to.match(/\*\*Description\*\*.*\*\*JSON Schema\*\*.*\*\*Usage\*\*.*\*\*Examples\*\*/s);
  });

  it('S1-23: the template says how an existing tool is brought here', () => {
    const template = readFileSync(join(TOOLS_FOLDER, 'README.md'), 'utf8');
    expect(template).to.match(/Bringing an existing tool here/);
    for (const step of ['defineTool', 'logs', 'Result', 'instruction', 'explicitAction'])
      expect(template).to.include(step);
  });

  for (const definition of all) {
    describe(definition.name, () => {
      const text = buildToolDescription(definition, 'full');

      it('S0-54, S0-59: has the four sections in order, each labelled', () => {
        const labels = ['## Description', '## JSON Schema', '## Usage', '## Examples'];
        const places = labels.map((label) => text.indexOf(`\n${label}\n`));
        expect(places.every((place) => place > 0)).to.equal(true);
        expect([...places].sort((a, b) => a - b)).to.deep.equal(places);
      });

      it('S0-55: has a first line of at most 50 characters', () => {
        const [first = ''] = text.split('\n', 1);
        expect(first).to.equal(definition.summary);
        expect(first.length).to.be.within(1, 50);
      });

      it('S0-56, S1-10: carries the complete schema in a labelled fence', () => {
        const [, fenced = ''] = /```json\n(.*?)\n```/s.exec(text) ?? [];
        expect(JSON.parse(fenced)).to.deep.equal(JSON.parse(JSON.stringify(definition.input)));
      });

      it('S0-57: explains the general call as code', () => {
        const usage = text.slice(text.indexOf('## Usage'), text.indexOf('## Examples'));
        expect(usage).to.match(/```text\n.*\(/s);
        expect(usage).to.include(definition.usage);
      });

      it('S0-58: has concrete examples, each with what it shows, as code', () => {
        const examples = text.slice(text.indexOf('## Examples'));
        expect(definition.examples.length).to.be.at.least(1);
        for (const example of definition.examples) {
          expect(example.title.length).to.be.at.least(5);
          expect(examples).to.include(`${example.title}:\n\`\`\`json\n`);
          expect(placeholderIn(JSON.stringify(example.arguments)), example.title).to.equal(undefined);
          // The explanation says more than that it is an example.
          expect(example.title).not.to.match(/^(an? )?example( \d+)?$/i);
        }
      });

      it('S0-60: every argument says its purpose and its valid values', () => {
        for (const [path, field] of fieldsOf(definition.input)) {
          const words = String(field.description ?? '');
          expect(isDescription(words), `${path}: ${words}`).to.equal(true);
          for (const bound of [field.minimum, field.maximum]) {
            if (typeof bound === 'number' && field.maximum !== undefined)
              expect(words, path).to.match(new RegExp(`\\b${bound}\\b|above|at most|only shorten`));
          }
          if (typeof field.const === 'string') expect(words, path).to.include(field.const);
        }
      });

      it('S0-60: describes every field, arguments and answer alike', () => {
        for (const [path, field] of [...fieldsOf(definition.input), ...fieldsOf(definition.output)]) {
          expect(
            field.description ?? (isJsonObject(field.properties) ? 'an object of described fields' : ''),
            path,
          ).to.match(/\w{3}/);
        }
      });

      it('S0-46, S1-06: is documented under its undecorated name', () => {
        const tool = toolFromDefinition(definition, 'full');
        if (!tool.success) throw new Error(tool.error);
        const listed = tool.value.toMcpFormat('guide');
        expect(listed.name).to.equal(`guide_${definition.name}`);
        expect(listed.description).not.to.include('guide_');
      });

      it('S1-09: has a concise form that says when to use it and, where it applies, the consent', () => {
        const concise = buildToolDescription(definition, 'concise');
        expect(concise.length).to.be.below(text.length);
        expect(concise).to.match(/^[A-Z].{20,}\./);
        expect(concise.includes('REQUIRES EXPLICIT USER INSTRUCTION')).to.equal(
          definition.explicitAction !== undefined,
        );
      });

      it('S0-41: takes its explicit action as an exact literal, if it has one', () => {
        const field = definition.input.properties?.explicit_action;
        expect(field && 'const' in field ? field.const : undefined).to.equal(definition.explicitAction);
        if (definition.explicitAction !== undefined)
          expect(definition.input.required).to.include('explicit_action');
      });

      it('S2-20: is one action, named and summed up by its verb, and tried by tests', () => {
        expect(Object.keys(definition.effects).sort()).to.deep.equal([
          'destructive',
          'idempotent',
          'openWorld',
          'readOnly',
        ]);
        expect(definition.name).to.match(/^[a-z]+(_[a-z]+){0,2}$/);
        const [verb = ''] = definition.summary.split(' ');
        expect(VERBS, definition.summary).to.include(verb);
        // One sentence with one verb: "and" joins two actions only in the example of progress.
        expect(definition.summary).to.match(/^[^.;]+\.$/);
        if (definition.category !== 'example') {
          expect(definition.summary).not.to.match(new RegExp(` and (${VERBS.join('|')})\\b`, 'i'));
        }
        const tried = testsThatName(definition.name);
        expect(tried.length, 'tests that name it').to.be.at.least(1);
      });

      it('S2-11: says what it means for files, network, code, data and secrets, and what to do', () => {
        expect(definition.security.split(' ').length, definition.security).to.be.at.least(5);
        const notes = definition.specification?.security;
        if (notes === undefined) throw new Error('There are no notes.');
        const { readOnly, openWorld } = definition.effects;
        const { files, network, execution, changes, secrets } = notes;
        for (const words of [files, network, execution, changes, secrets])
          expect(words, words).to.match(/^None\b|^(\S+ ){7}/);
        if (definition.category === 'example') return;
        expect(/^None\b/.test(changes), changes).to.equal(readOnly === true);
        if (openWorld) expect(network).not.to.match(/^None\.$/);
        if (definition.category === 'file') expect(files).to.match(/policy/);
        if (definition.name === 'execute_command') expect(execution).to.match(/^Runs programs/);
        const text = Object.values(notes).join(' ');
        if (definition.name !== 'echo')
          expect(text).to.match(/`[a-z_][^`]*`|\b(keep|leave|send|choose|pass) /i);
      });
    });
  }

  it('S0-43: a tool with an explicit action says REQUIRES EXPLICIT USER INSTRUCTION', () => {
    expect(buildToolDescription(exampleForgetTool, 'full')).to.include('REQUIRES EXPLICIT USER INSTRUCTION');
  });

  it('S0-44, S0-45: it explains the consent and warns against frivolous use', () => {
    const text = buildToolDescription(exampleForgetTool, 'full');
    expect(text).to.match(/consent is stated by explicit_action, which must be "FORGET"/);
    expect(text).to.match(/Do not use it frivolously/);
  });
});
