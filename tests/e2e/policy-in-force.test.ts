import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isJsonObject } from '../../src/domain/json-value.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { ENVELOPES, useInstead } from '../support/other-answers.js';
import type { SpawnedServer, WireMessage } from '../support/spawned-server.js';

describe('the policy in force', () => {
  useInstead(ENVELOPES);
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
  });

  afterEach(() => project.remove());

  async function names(server: SpawnedServer, id: string): Promise<readonly unknown[]> {
    const { result } = await server.request(id, 'tools/list', {});
    const tools = Array.isArray(result?.tools) ? result.tools : [];
    return tools.map((tool: unknown) => (isJsonObject(tool) ? tool.name : undefined));
  }

  function listChanges(server: SpawnedServer): number {
    return server.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length;
  }

  function failure({ result }: WireMessage): Readonly<Record<string, unknown>> {
    const [block]: unknown[] = Array.isArray(result?.content) ? result.content : [];
    const text = isJsonObject(block) && typeof block.text === 'string' ? block.text : '{}';
    return JSON.parse(text);
  }

  it('shows the tools that could pass, and announces when an edit changes that', async () => {
    project.write('p.yaml', 'extends: []\ntools: { echo: {} }\n');
    const server = project.serve(['--policy', 'p.yaml']);
    await server.initialize();
    expect(await names(server, 'a')).to.deep.equal(['echo']);
    project.write('p.yaml', 'extends: []\ntools: { get_tool_stats: {}, echo: { enabled: false } }\n');
    await server.until(() => (listChanges(server) > 0 ? true : undefined));
    expect(await names(server, 'b')).to.deep.equal(['get_tool_stats']);
    expect(failure(await server.callTool(1, 'echo'))).to.include({ error_type: 'ToolDisabledError' });
    expect(failure(await server.callTool(2, 'explain_permission', { tool: 'echo' }))).to.include({
      error_type: 'PermissionDeniedError',
    });
  });

  it('takes up a found file as soon as it is trusted, without a new start', async () => {
    project.write('permissions.yaml', 'tools: { echo: { enabled: false } }\n');
    await project.run(['trust']);
    const server = project.serve();
    await server.initialize();
    project.write(
      'permissions.yaml',
      'extends: []\ntools: { echo: {}, execute_command: { allowed_commands: ["*"] } }\n',
    );
    await server.until(() => (listChanges(server) > 0 ? true : undefined));
    const ask = { tool: 'execute_command', arguments: { command: 'ls' } };
    expect((await server.callTool(1, 'explain_permission', ask)).result?.isError).to.equal(true);
    await project.run(['trust']);
    await server.until(() => (listChanges(server) > 1 ? true : undefined));
    expect(await names(server, 'a')).to.deep.equal(['echo', 'execute_command']);
  });

  it('gives a caller the tools of its roles; the others do not exist for it', async () => {
    project.write(
      'p.yaml',
      'roles: { viewer: { tools: [echo] } }\nprincipals: [{ match: { transport: [stdio] }, roles: [viewer] }]\n',
    );
    const server = project.serve(['--policy', 'p.yaml']);
    await server.initialize();
    expect(await names(server, 'a')).to.deep.equal(['echo']);
    const hidden = await server.callTool(1, 'get_tool_stats');
    const missing = await server.callTool(2, 'get_fool_stats');
    expect(hidden.error?.code).to.equal(missing.error?.code).and.to.equal(-32602);
    expect(hidden.error?.message.replace('tool_stats', 'fool_stats')).to.equal(missing.error?.message);
  });

  it('never allows more than the ceiling, in the flag and in the variable', async () => {
    project.write('p.yaml', 'tools: { execute_command: { allowed_commands: [ls] } }\n');
    project.write('ceiling.yaml', 'extends: []\ntools: { echo: {} }\n');
    const ways: readonly [string[], NodeJS.ProcessEnv][] = [
      [['--ceiling', 'ceiling.yaml'], {}],
      [[], { CASTELLAN_CEILING: project.path('ceiling.yaml') }],
    ];
    for (const [args, env] of ways) {
      const server = project.serve(['--policy', 'p.yaml', ...args], env);
      await server.initialize();
      expect(await names(server, 'a')).to.deep.equal(['echo']);
      expect(failure(await server.callTool(1, 'get_tool_stats'))).to.include({
        error_type: 'PermissionDeniedError',
      });
    }
  });

  it('runs nothing that must be recorded and cannot be', async () => {
    mkdirSync(project.state, { recursive: true, mode: 0o700 });
    writeFileSync(join(project.state, 'audit'), 'a file where the folder should be');
    project.write('p.yaml', 'audit: { required_for: [echo] }\n');
    const server = project.serve(['--policy', 'p.yaml']);
    await server.initialize();
    const refused = failure(await server.callTool(1, 'echo', { message: 'hi' }));
    expect(refused).to.deep.include({ error_type: 'PermissionDeniedError' });
    expect(refused.error_details).to.include({ reason: 'AUDIT_UNAVAILABLE' });
    const free = await server.callTool(2, 'get_tool_stats');
    expect(free.result?.isError, 'others go on').to.equal(undefined);
  });

  it('is explained to an agent without its rules and places', async () => {
    project.write('p.yaml', 'tools: { read_file: { denied_paths: ["secret-place/**"] } }\n');
    const server = project.serve(['--policy', 'p.yaml']);
    await server.initialize();
    const ask = { tool: 'read_file', arguments: { path: 'secret-place/a' } };
    const answer = JSON.stringify((await server.callTool(1, 'explain_permission', ask)).result);
    expect(answer).to.contain('DENIED_PATH').and.contain('denied path');
    expect(answer).to.not.match(/p\.yaml|secret-place/);
  });
});
