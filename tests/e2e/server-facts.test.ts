import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';
import { eventually } from '../support/eventually.js';
import { ENVELOPES } from '../support/other-answers.js';
import type { SpawnedServer } from '../support/spawned-server.js';

describe('What the built server promises, counts and refuses', () => {
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
  });
  afterEach(() => project.remove());

  const serve = async (env: NodeJS.ProcessEnv = {}, args: readonly string[] = []) => {
    const server = project.serve(args, { ...ENVELOPES, ...env });
    await server.initialize();
    return server;
  };
  let count = 0;
  const envelope = async (server: SpawnedServer, name: string, args: object = {}) => {
    count += 1;
    const { result } = await server.callTool(count, name, args);
    return JSON.parse(JSON.stringify(result?.structuredContent ?? {}));
  };

  it('S3-02: advertises tools, resources and prompts, each with what it keeps', async () => {
    const server = project.serve();
    const { result } = await server.initialize();
    expect(result?.capabilities).to.deep.include({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
    });
  });

  it('S3-06, S3-22: metrics count calls, failures and timeouts, in all and by name, with their time', async () => {
    const policy = project.write(
      'permissions.yaml',
      'version: 1\nextends: [builtin:workspace]\ntools:\n  execute_command: { timeout: 200ms }\n',
    );
    const server = await serve({}, ['--policy', policy]);
    for (let calls = 0; calls < 3; calls += 1) await server.callTool(`e${calls}`, 'echo', { message: 'x' });
    await envelope(server, 'echo', { wrong: 1 });
    await envelope(server, 'execute_command', { command: 'sleep 30' });
    const { value } = await envelope(server, 'get_tool_stats');
    expect(value.tools.echo).to.include({ invocations: 4, failures: 1, timeouts: 0 });
    expect(value.tools.execute_command).to.include({ invocations: 1, failures: 1 });
    expect(value.total).to.include({ invocations: 5, failures: 2 });
    expect(value.tools.echo.total_ms).to.be.above(0);
    const times = value.tools.echo.total_ms + value.tools.execute_command.total_ms;
    expect(value.total.total_ms).to.be.closeTo(times, 0.01);
    expect(value.total.timeouts).to.equal(value.tools.execute_command.timeouts);
  });

  it('S3-44: a failed call is logged with the tool it belongs to and its arguments', async () => {
    const server = await serve({ CASTELLAN_LOG_LEVEL: 'debug' });
    await envelope(server, 'read_file', { path: 'gone.txt', limit: 3 });
    const record = () =>
      server.stderr
        .split('\n')
        .filter((line) => line.includes('Call to read_file failed'))
        .map((line) => JSON.parse(line))[0];
    await eventually('the failure is in the log', () => record() !== undefined);
    expect(JSON.stringify(record())).to.include('"tool":"read_file"').and.include('"path":"gone.txt"');
  });

  for (const [env, user] of [
    [{ USER: 'ada', USERNAME: 'grace' }, 'ada'],
    [{ USER: '', USERNAME: 'grace' }, 'grace'],
    [{ USER: '', USERNAME: '' }, 'unknown'],
  ] as const) {
    it(`S4-13: system_info names the user ${user} with ${JSON.stringify(env)}`, async () => {
      const { value } = await envelope(await serve(env), 'system_info');
      expect(value.user).to.equal(user);
      expect(value).to.include({
        node_version: process.versions.node,
        python_version: null,
        cwd: project.folder,
      });
      for (const field of ['platform', 'system', 'release', 'version', 'machine', 'processor'])
        expect(value[field], field).to.match(/\w/);
    });
  }

  it('S4-24: what the policy refuses never reaches the tool, whatever the tool itself would check', async () => {
    const policy = project.write(
      'permissions.yaml',
      `version: 1
extends: [builtin:workspace]
tools:
  echo: { arguments: { message: { maxLength: 3 } } }
  set_project_flag: { consent: ask }
`,
    );
    const server = await serve({}, ['--policy', policy]);
    const refused = await envelope(server, 'echo', { message: 'too long' });
    expect(refused).to.include({ success: false, error_type: 'PermissionDeniedError' });
    expect(JSON.stringify(refused)).not.to.include('Echo:');
    expect(await envelope(server, 'set_project_flag', { flag: 'x' })).to.include({
      error_type: 'ConsentRequiredError',
    });
    expect((await envelope(server, 'get_project_flag', { flag: 'x' })).value.value).to.equal(null);
    await envelope(server, 'write_file', { path: '../outside.txt', content: 'x' });
    expect(existsSync(project.path('../outside.txt'))).to.equal(false);
    const { result } = await server.callTool('short', 'echo', { message: 'abc' });
    expect(JSON.stringify(result)).to.include('Echo: abc');
  });
});
