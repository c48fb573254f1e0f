import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { Check } from 'typebox/schema';
import type { ToolDefinition } from '../../src/application/tool/tool-definition.js';
import { isJsonObject } from '../../src/domain/json-value.js';
import {
  jsonBlocks,
  parseSpecification,
  type SpecifiedTool,
  tableRows,
} from '../../src/presentation/docs/specification/specification-parser.js';
import { builtinTools } from '../../src/presentation/tools/builtin-tools.js';
import { ExampleWorkspace } from '../support/example-workspace.js';
import { MessagesApi, answer as modelAnswer } from '../support/messages-api.js';
import { MAIN, SpawnedServer } from '../support/spawned-server.js';

const OUTPUT = 'Output Schema (Return Value)';
const ERRORS = 'Error Handling';
const ENVELOPE = { 'castellan/answers': 'envelope' };

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly annotations?: { readonly audience?: readonly string[] };
}

interface Answer {
  readonly content: readonly Block[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

/** The built server in a workspace where every example of every tool succeeds. */
class ExampleServer {
  readonly workspace = new ExampleWorkspace();
  readonly server: SpawnedServer;
  #calls = 0;

  constructor(modelUrl: string, policy = '') {
    const { root, state } = this.workspace.disk;
    if (policy !== '') this.workspace.disk.file(join(root, 'policy.yaml'), policy);
    this.server = new SpawnedServer(
      MAIN,
      {
        HOME: join(root, 'home'),
        XDG_STATE_HOME: state,
        XDG_CONFIG_HOME: join(state, 'config'),
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: modelUrl,
      },
      { args: ['--config', join(root, 'settings.yaml'), '--policy', join(root, 'policy.yaml')], cwd: root },
    );
  }

  async call(name: string, args: object, meta?: object): Promise<Answer> {
    this.#calls += 1;
    const params = { name, arguments: args, ...(meta && { _meta: meta }) };
    const { result, error } = await this.server.request(`call-${this.#calls}`, 'tools/call', params);
    if (result === undefined) throw new Error(`${name}: ${error?.message}`);
    return JSON.parse(JSON.stringify(result));
  }

  /** A call that works: the tool's first example, with a process of its own for the tools about processes. */
  async example({ name, examples, input }: ToolDefinition, meta?: object): Promise<Answer> {
    const args = examples[0]?.arguments ?? {};
    // An example before this one may have moved or deleted it.
    this.workspace.disk.file(join(this.workspace.disk.root, 'README.md'), '# Sample\n');
    if (input.properties?.process_id === undefined) return this.call(name, args, meta);
    const started = await this.call('execute_command', { command: 'sleep 60', background: true });
    const process_id = /p_[\w-]+/.exec(JSON.stringify(started))?.[0];
    if (process_id === undefined) throw new Error(`nothing runs: ${JSON.stringify(started)}`);
    return this.call(name, { ...args, process_id }, meta);
  }

  async close(): Promise<void> {
    await this.server.kill();
    this.workspace.dispose();
  }
}

/** Tools about processes have no entry of their own, and nobody agrees to a longer list: the policy refuses these. */
const isDenied = (name: string) => /process/.test(name);
const ENTRIES: Readonly<Record<string, string>> = {
  enable_toolset: '{ enabled: false }',
  execute_command: '{ consent: always, background: false }',
};

const asking = `version: 1\nextends: [builtin:workspace]\ntools:\n${builtinTools
  .filter(({ name }) => !isDenied(name))
  .map(({ name }) => `  ${name}: ${ENTRIES[name] ?? '{ consent: always }'}\n`)
  .join('')}`;

const readerOf = ({ annotations }: Block) => annotations?.audience?.join() ?? 'both';

const isA = (schema: unknown, value: unknown) => isJsonObject(schema) && Check(schema, value);

/** Facts first, then at most one block for the user and one for the agent. */
function expectVoices(name: string, { content }: Answer): void {
  const readers = content.map(readerOf);
  const facts = readers.filter((reader) => reader === 'both').length;
  expect(readers.slice(0, facts), name).to.deep.equal(readers.filter((reader) => reader === 'both'));
  expect(['', 'user', 'assistant', 'user,assistant'], name).to.include(readers.slice(facts).join());
  expect(content.length, name).to.be.above(0);
}

describe('the built server as it ships, and its specification', () => {
  let api: MessagesApi;
  const specified = new Map<string, SpecifiedTool>();
  let text: ExampleServer;
  let envelopes: ExampleServer;
  let refusing: ExampleServer;

  before(async () => {
    api = await MessagesApi.start();
    text = new ExampleServer(api.url);
    envelopes = new ExampleServer(api.url);
    refusing = new ExampleServer(api.url, asking);
    for (const { server } of [text, envelopes, refusing]) await server.initialize();
    for (const { name } of builtinTools) {
      const read = await text.server.request(`spec-${name}`, 'resources/read', {
        uri: `castellan://tools/${name}`,
      });
      const [contents] = JSON.parse(JSON.stringify(read.result?.contents ?? [{}]));
      const [tool] = parseSpecification(contents.text ?? '');
      if (tool !== undefined) specified.set(name, tool);
    }
  });
  after(async () => {
    await Promise.all([text, envelopes, refusing].map((one) => one.close()));
    await api.stop();
  });

  const documentOf = (name: string): SpecifiedTool => {
    const tool = specified.get(name);
    if (tool === undefined) throw new Error(`${name} has no specification`);
    return tool;
  };

  const expectDocumented = (name: string, { content, isError }: Answer): string => {
    expect(isError, name).to.equal(true);
    const first = content[0]?.text ?? '';
    const [, type, code] = /^(\w+) \((-\d+)\): \S/.exec(first) ?? [];
    const rows = tableRows(documentOf(name).text(ERRORS)).map(
      ({ error_type = '', error_code = '' }) => `${error_type.replaceAll('`', '')} ${error_code}`,
    );
    expect(rows, first).to.include(`${type} ${code}`);
    return type ?? '';
  };

  for (const definition of builtinTools) {
    const { name, output } = definition;
    it(`S2-06, S2-21: ${name} succeeds in the two forms that its specification shows`, async () => {
      if (name === 'claude_conversation') api.next(modelAnswer(['An answer.']), modelAnswer(['An answer.']));
      const shown = await text.example(definition);
      expect(shown.isError, JSON.stringify(shown)).to.equal(undefined);
      expect(shown).not.to.have.property('structuredContent');
      expectVoices(name, shown);
      const whole = await envelopes.example(definition, ENVELOPE);
      const form = documentOf(name).text(OUTPUT);
      const [schema] = jsonBlocks(form);
      if (output === undefined) {
        expect(form).to.contain('Content blocks, with `answers: text` and `answers: envelope` alike');
        expect(isA(schema, shown), name).to.equal(true);
        expect(whole.structuredContent).to.equal(undefined);
        return;
      }
      expect(form).to.contain('**As text**').and.to.contain('**As the envelope**');
      expect(isA(schema, whole.structuredContent), JSON.stringify(whole)).to.equal(true);
      expect(JSON.parse(whole.content[0]?.text ?? '')).to.deep.equal(whole.structuredContent);
    });

    it(`S2-08, S2-21: ${name} refuses as its specification says`, async () => {
      const args = isDenied(name) ? { process_id: 'p_00000000' } : definition.examples[0]?.arguments;
      const refused = await refusing.call(name, name === 'list_processes' ? {} : (args ?? {}));
      const wanted = name === 'enable_toolset' ? 'ToolDisabledError' : 'ConsentRequiredError';
      expect(expectDocumented(name, refused)).to.equal(isDenied(name) ? 'PermissionDeniedError' : wanted);
      expectVoices(name, refused);
    });

    it(`S2-08, S0-60: ${name} answers a wrong argument with the words of its specification`, async () => {
      const [required] = definition.input.required ?? [];
      const args = required === undefined ? { no_such_argument: 1 } : {};
      const wrong = await text.call(name, args);
      expectDocumented(name, wrong);
      const [, words] = /```text\n(ToolValidationError .*)\n```/.exec(documentOf(name).text(ERRORS)) ?? [];
      expect(wrong.content[0]?.text).to.equal(words);
      expect(wrong.content.slice(1).map(readerOf)).to.deep.equal(['assistant']);
    });
  }

  it('S0-57: the resource of a tool has its usage', () => {
    for (const { name, usage } of builtinTools)
      expect(documentOf(name).text('Usage Examples (for MCP context)'), name).to.contain(usage);
  });

  it('S2-11: the security notes say what the policy in force does, and a command line behaves so', async () => {
    const notes = documentOf('execute_command').text('Security Considerations');
    expect(notes).to.contain('Under the policy in force here:').and.to.contain('Any bash works.');
    const ran = await text.call('execute_command', { command: 'x=7; echo "$x $(echo inner)"' });
    expect(ran.content[0]?.text).to.equal('7 inner\n');
    const asked = documentOf('delete_path').text('Security Considerations');
    expect(asked).to.contain('Under the policy in force here:');
  });
});
