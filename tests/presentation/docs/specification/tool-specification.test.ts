import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Check } from 'typebox/schema';
import type { Castellan } from '../../../../src/composition/server/castellan.js';
import { isJsonObject } from '../../../../src/domain/json-value.js';
import {
  specifyTool,
  specifyTools,
} from '../../../../src/presentation/docs/specification/tool-specification.js';
import { MODERN_VERSION } from '../../../../src/presentation/mcp/modern-2026/modern-2026.js';
import { SESSION_VERSIONS } from '../../../../src/presentation/mcp/session-2025/session-2025-handshake.js';
import { builtinTools } from '../../../../src/presentation/tools/builtin-tools.js';
import {
  exampleCountdownTool,
  exampleForgetTool,
} from '../../../../src/presentation/tools/example/example-tools.js';
import { ExampleWorkspace } from '../../../support/example-workspace.js';

const ROOT = join(import.meta.dirname, '../../../..');
const SECTIONS = [
  'Tool Purpose and Description',
  'Invocation Name',
  'Input Schema (Parameters)',
  'Output Schema (Return Value)',
  'Error Handling',
  'Idempotency',
  'Usage Examples (for MCP context)',
  'Security Considerations',
];

function section(text: string, title: string): string {
  const start = text.indexOf(`#### ${title}\n`);
  const next = text.indexOf('\n#### ', start + 1);
  return text.slice(start, next === -1 ? undefined : next);
}

function jsonBlocks(text: string): readonly unknown[] {
  return [...text.matchAll(/```json\n(.*?)\n```/gs)].map(([, json = '']) => JSON.parse(json));
}

type Row = Readonly<Record<string, string>>;

/** Read by the test itself, so that a mistake of the parser does not hide one of the writer. */
function table(text: string): readonly Row[] {
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  const [titles = [], , ...rows] = lines.map((line) =>
    line
      .slice(2, -2)
      .split(/(?<!\\)\| /)
      .map((cell) => cell.trim()),
  );
  return rows.map((row) => Object.fromEntries(titles.map((title, index) => [title, row[index] ?? ''])));
}

/** Every field of a schema, however deep, as the tables name it. */
function fieldsOf(schema: unknown, at: string): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const named = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  const [any] = isJsonObject(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  return [
    ...named.flatMap(([name, member]) => [`${at}.${name}`, ...fieldsOf(member, `${at}.${name}`)]),
    ...fieldsOf(schema.items, `${at}[]`),
    ...fieldsOf(any, `${at}.*`),
  ];
}

/** Written out again: the specification must not take its codes from where it got them wrong. */
const CODES: Readonly<Record<string, string>> = {
  ToolNotFoundError: '-32001',
  ToolDisabledError: '-32004',
  ToolExecutionError: '-32005',
  ToolTimeoutError: '-32006',
  ToolValidationError: '-32602',
  PermissionDeniedError: '-32007',
  ConsentRequiredError: '-32008',
  LimitExceededError: '-32009',
  ToolUnavailableError: '-32010',
  CancelledError: '-32011',
  InternalError: '-32603',
};

const all = [...builtinTools, exampleCountdownTool, exampleForgetTool];

/** Examples name a process; the one that they are tried with is a new one: what is typed to waits for it. */
async function processFor(tool: string, args: object, castellan: Castellan): Promise<object> {
  if (!('process_id' in args)) return {};
  const command = tool === 'process_input' ? 'cat' : 'seq 1 100';
  const started = await castellan.execute('execute_command', { command, background: true });
  if (!started.success) throw new Error(started.error.message);
  const value = started.value.structured?.value;
  return isJsonObject(value) ? { process_id: value.process_id } : {};
}

const VERSIONS = [MODERN_VERSION, ...SESSION_VERSIONS];

describe('The tool specification', () => {
  const document = specifyTools(all, VERSIONS);

  it('S2-01, S2-23: the committed file is what the definitions say', () => {
    expect(readFileSync(join(ROOT, 'MCP_TOOL_SPECIFICATION.md'), 'utf8')).to.equal(document);
  });

  it('S2-02: the canonical template ships and has the same sections', () => {
    const template = readFileSync(join(ROOT, 'docs/template/MCP_TOOL_SPECIFICATION.md'), 'utf8');
    for (const title of SECTIONS) expect(template).to.include(`#### ${title}`);
    const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(files).to.include('docs');
  });

  for (const definition of builtinTools) {
    it(`S2-03: ${definition.name} has the eight sections in order`, () => {
      const text = specifyTool(definition);
      const titles = [...text.matchAll(/^#### (.*)$/gm)].map(([, title]) => title);
      expect(titles).to.deep.equal(SECTIONS);
    });
  }

  it('S2-04: invocation names are unique and machine readable', () => {
    const names = builtinTools.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    for (const name of names) expect(name).to.match(/^[a-z][a-z0-9_]*$/);
  });

  for (const definition of all) {
    const text = specifyTool(definition);
    const input = section(text, 'Input Schema (Parameters)');
    const output = section(text, 'Output Schema (Return Value)');

    it(`S2-05: the inputs of ${definition.name} are listed with type, need, description and an example`, () => {
      const rows = table(input);
      const { properties = {}, required = [] } = definition.input;
      expect(rows.map((row) => row.Name)).to.deep.equal(Object.keys(properties).map((name) => `\`${name}\``));
      for (const row of rows) {
        const name = (row.Name ?? '').slice(1, -1);
        const property = properties[name] ?? {};
        expect(row.Required, name).to.equal(required.includes(name) ? 'Yes' : 'No');
        expect(row.Description?.replaceAll('\\|', '|'), name).to.equal(
          'description' in property ? property.description : '',
        );
        expect(row.Type, name).to.match(/^\w/);
        const example: unknown = JSON.parse(row.Example?.slice(1, -1).replaceAll('\\|', '|') ?? '');
        expect(Check(property, example), `${name}: ${row.Example}`).to.equal(true);
      }
    });

    it(`S2-06: the outputs of ${definition.name} are listed with type, description and an example`, () => {
      const rows = table(output);
      const names = rows.map((row) => row.Name?.slice(1, -1));
      if (definition.output === undefined) expect(names).to.include('content[0].text');
      else expect(names).to.deep.equal(['value', ...fieldsOf(definition.output, 'value')]);
      for (const row of rows) {
        expect(row.Type, row.Name).to.match(/^\w/);
        expect(row.Description, row.Name).to.match(/\w{2}/);
        expect(row.Example, row.Name).to.match(/^`.+`$/);
      }
      const whole = rows.find((row) => /^`(value|content\[0\]\.text)`$/.test(row.Name ?? ''))?.Example ?? '';
      const example: unknown = JSON.parse(whole.slice(1, -1).replaceAll('\\|', '|'));
      expect(Check(definition.output ?? { type: 'string', minLength: 1 }, example), whole).to.equal(true);
    });

    it(`S2-07, S2-12: beside each table of ${definition.name} stands the JSON Schema`, () => {
      expect(jsonBlocks(input)).to.deep.equal([JSON.parse(JSON.stringify(definition.input))]);
      const [schema] = jsonBlocks(output);
      if (definition.output === undefined) {
        expect(schema).to.have.nested.property('properties.content.type', 'array');
        const answer = { content: [{ type: 'text', text: 'x' }] };
        expect(Check(Object(schema), answer)).to.equal(true);
        expect(Check(Object(schema), { content: [{ text: 'x' }] })).to.equal(false);
        expect(Check(Object(schema), {})).to.equal(false);
      } else {
        expect(schema)
          .to.have.nested.property('properties.value')
          .that.deep.equals(JSON.parse(JSON.stringify(definition.output)));
        expect(schema).to.have.property('required').that.deep.equals(['success', 'status']);
      }
    });

    it(`S2-08: each error of ${definition.name} is listed once with its condition and its code`, () => {
      const errors = section(text, 'Error Handling');
      const rows = table(errors);
      const types = rows.map((row) => (row.error_type ?? '').slice(1, -1));
      expect(new Set(types).size, types.join()).to.equal(types.length);
      expect(types).to.include.members(Object.keys(CODES));
      expect(types).to.include.members((definition.errors ?? []).map(({ type }) => type));
      for (const row of rows) {
        const type = (row.error_type ?? '').slice(1, -1);
        expect(row.error_code, type).to.equal(CODES[type] ?? '-32005');
        expect((row.when ?? '').split(' ').length, type).to.be.at.least(3);
      }
      expect(errors).to.contain('`status: "failure"`, `error_type`, `error_code`, `error_message`');
      expect(errors).to.contain('begins with `error_type (error_code): `');
    });

    it(`S2-09: says whether repeating a call of ${definition.name} matters, and what it does`, () => {
      const [, words = ''] = section(text, 'Idempotency').split('\n\n');
      const { readOnly, idempotent } = definition.effects;
      const repeatable = idempotent === true || (readOnly === true && definition.idempotency === undefined);
      expect(words).to.match(repeatable ? /^Yes\. / : /^No\. /);
      expect(words.split(' ').length).to.be.at.least(5);
    });
  }

  it('S2-19: the protocol has versions of its own, those of both eras', () => {
    expect(document).to.match(/The protocol has its own versions.*2026-07-28, 2025-11-25.*2024-10-07/);
    expect(document).to.contain('`server/discover`').and.to.contain('`initialize`');
  });

  it('S2-21: every schema in it can be parsed by a machine, and a change of a tool makes it stale', () => {
    expect(jsonBlocks(document).length).to.be.at.least(builtinTools.length * 3);
    const changed = builtinTools.map((tool) =>
      tool.name === 'echo' ? { ...tool, summary: 'Other words.' } : tool,
    );
    expect(specifyTools(changed, VERSIONS)).not.to.equal(document);
  });

  it('S2-22: times and addresses have their format, and a format is shown in the tables', () => {
    const formats = new Map<string, unknown>();
    const collect = (schema: unknown, at: string): void => {
      if (!isJsonObject(schema)) return;
      const members = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
      for (const [name, member] of members) {
        const shape = JSON.stringify(member);
        if (/"format":/.test(shape) || /ISO 8601|"uri"|_uri/.test(`"${name}"${shape}`))
          formats.set(`${at}.${name}`, /"format":"([a-z-]+)"/.exec(shape)?.[1]);
        collect(member, `${at}.${name}`);
      }
      collect(schema.items, `${at}[]`);
    };
    for (const { name, input, output } of builtinTools) {
      collect(input, name);
      collect(output, name);
    }
    const timed = [...formats].filter(([, format]) => format === 'date-time').map(([field]) => field);
    const addressed = [...formats].filter(([, format]) => format === 'uri').map(([field]) => field);
    expect([...formats.values()]).not.to.include(undefined);
    expect(timed).to.include.members(['file_info.modified', 'file_info.created', 'file_info.accessed']);
    expect(timed).to.include.members(['list_directory[].modified', 'create_document.modified']);
    expect(addressed).to.include.members(['create_document.uri', 'search_architecture.results[].uri']);
    expect(addressed).to.include('check_adr_alignment.conflicts[].adr_uri');
    expect(document).to.include('| `value.modified` | string (date-time) |');
    expect(document).to.include('| `value.results[].uri` | string (uri) |');
  });

  for (const definition of builtinTools) {
    it(`S2-10: every example of ${definition.name} is a valid call and succeeds`, async () => {
      const calls = jsonBlocks(section(specifyTool(definition), 'Usage Examples (for MCP context)'));
      expect(calls.length).to.be.at.least(1);
      const workspace = new ExampleWorkspace();
      const castellan = await workspace.open();
      for (const call of calls) {
        const { tool_name, arguments: args } = call as {
          tool_name: string;
          arguments: Record<string, unknown>;
        };
        expect(tool_name).to.equal(definition.name);
        // A tool must have been called before its statistics can be shown.
        await castellan.execute('echo');
        const outcome = await castellan.execute(tool_name, {
          ...args,
          ...(await processFor(tool_name, args, castellan)),
        });
        expect(outcome.success, outcome.success ? '' : outcome.error.message).to.equal(true);
      }
      await castellan.close();
      workspace.dispose();
    });
  }
});
