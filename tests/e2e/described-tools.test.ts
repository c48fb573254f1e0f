import { join } from 'node:path';
import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';
import { eventually } from '../support/eventually.js';
import { ENVELOPES } from '../support/other-answers.js';
import { PROJECT, type SpawnedServer } from '../support/spawned-server.js';

const HOST = join(PROJECT, 'tests/support/describing-server.mjs');

interface Listed {
  readonly name: string;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly _meta: Readonly<Record<string, unknown>>;
}

describe('Tools as the built server and command show them', () => {
  let project: CliWorkspace;
  let count = 0;

  beforeEach(() => {
    project = new CliWorkspace();
  });
  afterEach(() => project.remove());

  const ask = async (server: SpawnedServer, method: string, params: object = {}) => {
    count += 1;
    const { result } = await server.request(count, method, params);
    return JSON.parse(JSON.stringify(result ?? {}));
  };
  const listed = async (server: SpawnedServer): Promise<readonly Listed[]> =>
    (await ask(server, 'tools/list')).tools;
  const host = async () => {
    const server = project.serve([], {}, HOST);
    await server.initialize();
    return server;
  };

  it('S1-05: custom annotations and _meta of a tool travel unchanged beside our own', async () => {
    const tool = (await listed(await host())).find(({ name }) => name === 'described');
    expect(tool?.annotations).to.deep.include({ 'x-colour': 'blue', 'x-list': [1, { deep: true }] });
    expect(tool?.annotations).to.include({ readOnlyHint: true });
    expect(tool?._meta).to.deep.include({ 'acme.example/owner': { team: 'tools', since: 2026 } });
    expect(tool?._meta).to.include({ 'castellan/version': '1.0.0', 'castellan/category': 'host' });
  });

  it('S4-04: a tool answers with any JSON value, and that is no error', async () => {
    const answer = await ask(await host(), 'tools/call', { name: 'described' });
    expect(answer.isError ?? false).to.equal(false);
    expect(answer.content).to.deep.equal([{ type: 'text', text: '{"a":1}' }]);
  });

  it('S4-20: a tool hidden from a session is gone from it, the client is told, and another session has it', async () => {
    const [server, other] = [await host(), await host()];
    const names = async (from: SpawnedServer) => (await listed(from)).map(({ name }) => name);
    const notices = () =>
      server.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length;
    await ask(server, 'tools/call', { name: 'draw' });
    await eventually('the client is told', () => notices() === 1);
    expect(await names(server)).not.to.include('described');
    expect(await names(other)).to.include('described');
    const { error } = await server.callTool('hidden', 'described');
    expect(error?.message).to.match(/Unknown tool: described/);
    await ask(server, 'tools/call', { name: 'open' });
    expect(await names(server)).to.include('described');
    await eventually('the client is told again', () => notices() === 2);
  });

  it('S4-19: `castellan tools --category` lists one category, and names those there are', async () => {
    const file = await project.run(['tools', '--category', 'file', '--json']);
    const { tools } = JSON.parse(file.stdout);
    expect(tools.length).to.be.above(8);
    for (const { name, category } of tools) expect(category, name).to.equal('file');
    const table = await project.run(['tools', '--category', 'utility']);
    expect(table.stdout.trim().split('\n')).to.have.length(2);
    expect(table.stdout).to.match(/\necho +utility/);
    const tokens = await project.run(['tools', '--category', 'utility', '--tokens']);
    expect(tokens.stdout)
      .to.match(/\necho /)
      .and.not.match(/read_file/);
    const wrong = await project.run(['tools', '--category', 'files']);
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.match(/No tool has the category files\. There are: .*\bfile\b/);
  });

  it('S1-19: a file that is not there comes with the instruction to ask, in the recommended words', async () => {
    const server = project.serve([], ENVELOPES);
    await server.initialize();
    const { result } = await server.callTool('gone', 'read_file', { path: 'gone.txt' });
    expect(JSON.stringify(result)).to.include('Ask the user for clarification on which path is meant.');
  });

  it('S1-21: get_project_config says what was loaded, and forbids making a default up', async () => {
    const config = project.write('castellan.yaml', 'project: { name: demo }\n');
    const server = project.serve(['--config', config], ENVELOPES);
    await server.initialize();
    const good = await ask(server, 'tools/call', { name: 'get_project_config' });
    expect(good.structuredContent).to.deep.include({
      success: true,
      message: 'Configuration loaded successfully.',
      instruction: 'Review the configuration before making changes.',
    });
    expect(good.structuredContent.value).to.include({ project: 'demo', active: true });
    const bad = await ask(server, 'tools/call', {
      name: 'get_project_config',
      arguments: { project: 'gone' },
    });
    expect(bad.isError).to.equal(true);
    expect(bad.structuredContent).to.include({ error_type: 'NotFoundError' });
    expect(bad.structuredContent.error).to.match(
      /^No configuration found for project: gone\. There are: demo/,
    );
    expect(bad.structuredContent.instruction).to.equal(
      'Present this error to the user. Do not attempt to create a default configuration automatically.',
    );
  });
});
