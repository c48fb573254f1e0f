import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkToolSpecification } from '../../src/presentation/docs/specification/specification-check.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { ENVELOPES } from '../support/other-answers.js';
import type { SpawnedServer } from '../support/spawned-server.js';

const SETTINGS = 'categories: { patterns: { dir: docs/patterns }, adr: { dir: docs/adr } }\n';
const POLICY = `
version: 1
extends: [builtin:workspace]
tools:
  system_info: { enabled: false }
  set_project_flag: { consent: ask }
  create_document: {}
`;

/** Calls that fail, each in a way of its own. */
const FAILING: readonly (readonly [string, object, string])[] = [
  ['read_file', { path: 'gone.txt' }, 'NotFoundError'],
  ['read_file', { path: 'docs' }, 'IsADirectoryError'],
  ['read_file', { path: 'docs/patterns/retry.md/below' }, 'NotADirectoryError'],
  ['read_file', { path: '/dev/null' }, 'PermissionDeniedError'],
  ['read_file', {}, 'ToolValidationError'],
  ['list_directory', { path: 'docs/patterns/retry.md' }, 'NotADirectoryError'],
  ['search_content', { query: '(' }, 'InvalidQueryError'],
  ['edit_file', { path: 'docs/patterns/retry.md', edits: [{ old_text: 'x!', new_text: '' }] }, 'EditError'],
  ['write_file', { path: 'docs', content: 'x' }, 'IsADirectoryError'],
  ['write_file', { path: 'docs/patterns/retry.md', mode: 'create' }, 'AlreadyExistsError'],
  ['write_file', { path: 'x.txt', content: '\ud800' }, 'EncodingError'],
  ['delete_path', { path: 'docs', explicit_action: 'DELETE_PATH' }, 'ConsentRequiredError'],
  ['get_content', { expression: 'nothing/here' }, 'NotFoundError'],
  ['get_content', { expression: ',' }, 'ToolValidationError'],
  ['validate_against_pattern', { code: 'x', pattern_name: 'gone' }, 'NotFoundError'],
  ['get_project_config', { project: 'gone' }, 'NotFoundError'],
  ['get_tool_stats', { tool: 'gone' }, 'NotFoundError'],
  ['set_project_flag', { flag: 'x' }, 'ConsentRequiredError'],
  ['execute_command', { command: 'cat .env' }, 'PermissionDeniedError'],
  ['system_info', {}, 'ToolDisabledError'],
];

describe('What the built server says about its tools, and what they do', () => {
  let project: CliWorkspace;
  let server: SpawnedServer;
  const specified = new Map<string, string>();

  const answerOf = async (name: string, args: object) => {
    const { result } = await server.callTool(`${name}${Math.random()}`, name, args);
    return JSON.parse(JSON.stringify(result ?? {}));
  };

  before(async () => {
    project = new CliWorkspace();
    project.write('docs/patterns/retry.md', '# Retry\n\nRetry calls to a flaky service three times.\n');
    project.write('docs/adr/0001-one.md', '# One database\n\nStatus: accepted\n\nWe use PostgreSQL.\n');
    const config = project.write('castellan.yaml', SETTINGS);
    const policy = project.write('permissions.yaml', POLICY);
    server = project.serve(['--config', config, '--policy', policy], ENVELOPES);
    await server.initialize();
    const { result } = await server.request('list', 'tools/list');
    const tools: readonly { name: string }[] = JSON.parse(JSON.stringify(result?.tools ?? []));
    for (const { name } of tools) {
      const read = await server.request(name, 'resources/read', { uri: `castellan://tools/${name}` });
      const [contents] = JSON.parse(JSON.stringify(read.result?.contents ?? [{}]));
      specified.set(name, contents.text);
    }
  });
  after(() => project.remove());

  it('S2-21: every tool has its specification as a resource, and the validator finds nothing wrong', () => {
    expect(specified.size).to.be.at.least(25);
    for (const [name, text] of specified) expect(checkToolSpecification(text ?? ''), name).to.deep.equal([]);
  });

  for (const [name, args, type] of FAILING) {
    it(`S2-08: ${type} is what ${name} gives for ${JSON.stringify(args).slice(0, 60)}, and its specification lists it`, async () => {
      const { isError, structuredContent: envelope } = await answerOf(name, args);
      expect(isError).to.equal(true);
      expect(envelope.error_type, envelope.error).to.equal(type);
      const text = specified.get(name) ?? readFileSync('MCP_TOOL_SPECIFICATION.md', 'utf8');
      expect(text).to.include(`| \`${type}\` | ${envelope.error_code} |`);
    });
  }

  it('S2-13: every failure says status, error_type and error_message, with details where there are any', async () => {
    for (const [name, args] of FAILING) {
      const { structuredContent: envelope } = await answerOf(name, args);
      expect(envelope.status, name).to.equal('failure');
      expect(envelope.error_type, name).to.match(/^[A-Z][A-Za-z]+$/);
      expect(envelope.error_message, name).to.equal(envelope.error);
      expect(envelope.error_message, name).to.match(/\w{3}/);
    }
    const { structuredContent: invalid } = await answerOf('read_file', {});
    expect(invalid.error_details.problems[0]).to.include({
      parameter_name: 'path',
      issue: 'path is required',
    });
    const { structuredContent: denied } = await answerOf('read_file', { path: '/dev/null' });
    expect(denied.error_details).to.have.property('reason');
  });

  it('S2-14: the status of a structured answer tells success from failure', async () => {
    for (const [name, args] of [
      ['list_directory', {}],
      ['get_tool_stats', {}],
      ['search_architecture', { query: 'flaky' }],
    ] as const) {
      const { structuredContent: good } = await answerOf(name, args);
      expect(good, name).to.include({ status: 'success', success: true });
      const { structuredContent: bad } = await answerOf(name, { nothing: 1 });
      expect(bad, name).to.include({ status: 'failure', success: false });
    }
  });

  it('S2-22: times and addresses in answers are of the format that the schema declares', async () => {
    const { structuredContent: info } = await answerOf('file_info', { path: 'docs' });
    for (const time of [info.value.modified, info.value.created, info.value.accessed])
      expect(new Date(time).toISOString()).to.equal(time);
    const { structuredContent: found } = await answerOf('search_architecture', { query: 'flaky service' });
    expect(URL.canParse(found.value.results[0].uri)).to.equal(true);
    const { structuredContent: listed } = await answerOf('list_directory', { path: 'docs/patterns' });
    expect(new Date(listed.value[0].modified).toISOString()).to.equal(listed.value[0].modified);
  });

  it('S2-21: `castellan docs` covers example tools and those of an embedder, and tells when it is stale', async () => {
    const tool = `export const barkTool = {
      name: 'bark', version: '1.0.0', category: 'dog', summary: 'Bark once.', description: 'Barks.', usage: 'Call it.',
      examples: [{ title: 'One bark', arguments: {} }], effects: { readOnly: true, idempotent: true },
      security: 'Makes a noise and touches nothing.', input: { type: 'object', properties: {} }, needs: {},
      run: () => undefined };`;
    const module = project.write('bark.mjs', tool);
    const written = await project.run(['docs', '--tools', module]);
    expect(written.code, written.stderr).to.equal(0);
    const text = readFileSync(project.path('MCP_TOOL_SPECIFICATION.md'), 'utf8');
    for (const name of ['bark', 'example_countdown', 'example_forget', 'echo'])
      expect(text).to.include(`\n### ${name}\n`);
    expect((await project.run(['docs', '--check', '--tools', module])).code).to.equal(0);
    project.write('bark.mjs', tool.replace('Bark once', 'Bark twice'));
    const stale = await project.run(['docs', '--check', '--tools', module]);
    expect([stale.code, stale.stderr]).to.satisfy(
      ([code, words]: [number, string]) => code === 1 && /stale/.test(words),
    );
    const missing = await project.run(['docs', '--tools', 'nowhere.mjs']);
    expect(missing.code).to.equal(3);
    expect(missing.stderr).to.match(/nowhere\.mjs cannot be loaded/);
  });
});
