import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { specifyTool, specifyTools } from '../../../src/presentation/docs/tool-specification.js';
import { LEGACY_VERSIONS } from '../../../src/presentation/mcp/legacy-handshake.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import { getToolStatsTool } from '../../../src/presentation/tools/meta/get-tool-stats.tool.js';
import { echoTool } from '../../../src/presentation/tools/utility/echo.tool.js';
import { ExampleWorkspace } from '../../support/example-workspace.js';

const ROOT = join(import.meta.dirname, '../../..');
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

describe('The tool specification', () => {
  const document = specifyTools(builtinTools, LEGACY_VERSIONS);

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

  it('S2-05: inputs are listed with type, need, description and an example', () => {
    expect(section(specifyTool(echoTool), 'Input Schema (Parameters)')).to.match(
      /\| `message` \| string \| No \| The text to send back.* \| `"Hello"` \|/,
    );
  });

  it('S2-06: outputs are listed with type and description', () => {
    expect(section(specifyTool(getToolStatsTool), 'Output Schema (Return Value)')).to.match(
      /\| `total` \| object \| Yes \|/,
    );
  });

  it('S2-07, S2-12: beside each table stands the JSON Schema, of arguments and of the result', () => {
    const text = specifyTool(getToolStatsTool);
    const [input] = jsonBlocks(section(text, 'Input Schema (Parameters)'));
    const [output] = jsonBlocks(section(text, 'Output Schema (Return Value)'));
    expect(input).to.deep.equal(JSON.parse(JSON.stringify(getToolStatsTool.input)));
    expect(output).to.have.nested.property('properties.value.properties.tools');
  });

  it('S2-08: conditions, form and codes of errors are told', () => {
    const text = section(specifyTool(getToolStatsTool), 'Error Handling');
    expect(text).to.match(/\| `NotFoundError` \| -32005 \|/);
    expect(text).to.match(/\| `ToolTimeoutError` \| -32006 \|/);
    expect(text).to.match(/`error_type`, `error_code`, `error_message`/);
  });

  it('S2-09: says whether repeating a call matters', () => {
    expect(section(specifyTool(echoTool), 'Idempotency')).to.match(/Yes\./);
    expect(
      section(specifyTool({ ...echoTool, effects: { readOnly: false, idempotent: false } }), 'Idempotency'),
    ).to.match(/No\./);
  });

  it('S2-13, S2-14: the result schema holds status, error_type, error_message and error_details', () => {
    const [output] = jsonBlocks(section(specifyTool(getToolStatsTool), 'Output Schema (Return Value)'));
    expect(output).to.have.nested.property('properties.status.enum').that.deep.equals(['success', 'failure']);
    for (const field of ['error_type', 'error_message', 'error_details']) {
      expect(output).to.have.nested.property(`properties.${field}`);
    }
  });

  it('S2-19: the protocol has a version of its own', () => {
    expect(document).to.match(/The protocol has its own version.*2025-11-25/);
  });

  it('S2-21: every schema in it can be parsed by a machine, and a change of a tool makes it stale', () => {
    expect(jsonBlocks(document).length).to.be.at.least(builtinTools.length * 3);
    const changed = builtinTools.map((tool) =>
      tool.name === 'echo' ? { ...tool, summary: 'Other words.' } : tool,
    );
    expect(specifyTools(changed, LEGACY_VERSIONS)).not.to.equal(document);
  });

  it('S2-22: constraints stand in the schemas', () => {
    const [input] = jsonBlocks(section(specifyTool(getToolStatsTool), 'Input Schema (Parameters)'));
    expect(input).to.have.nested.property('properties.tool.minLength', 1);
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
        const outcome = await castellan.execute(tool_name, args);
        expect(outcome.success, outcome.success ? '' : outcome.error.message).to.equal(true);
      }
      await castellan.close();
      workspace.dispose();
    });
  }
});
