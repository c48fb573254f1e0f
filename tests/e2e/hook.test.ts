import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { packageVersion } from '../../src/composition/server/package-version.js';
import { hookIdentity, socketName } from '../../src/infrastructure/hook/hook-door.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { eventually } from '../support/eventually.js';

/** The built command, as a client starts it. */
describe('castellan hook', function () {
  this.timeout(60_000);
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
    mkdirSync(project.env.HOME ?? '', { recursive: true });
    project.write('.env', 'SECRET=1\n');
    project.write('a.txt', 'a\n');
  });

  afterEach(() => project.remove());

  const question = (tool: string, input: object) =>
    JSON.stringify({
      session_id: '7d1c',
      cwd: project.folder,
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: input,
    });
  const hook = (input: string, env: NodeJS.ProcessEnv = {}) =>
    project.run(['hook', 'claude'], { input, env: { CLAUDE_PROJECT_DIR: project.folder, ...env } });
  const secret = () => question('Read', { file_path: project.path('.env') });
  const sockets = () => join(project.state, 'hooks');

  it('answers without a server, and the audit has it under the session of the client', async () => {
    const refused = await hook(secret());
    expect(refused).to.deep.include({ code: 0, stderr: '' });
    expect(JSON.parse(refused.stdout).hookSpecificOutput).to.include({ permissionDecision: 'deny' });
    const allowed = await hook(question('Read', { file_path: project.path('a.txt') }));
    expect(allowed).to.deep.equal({ code: 0, stdout: '{}\n', stderr: '' });
    const { stdout } = await project.run(['audit', 'tail', '--json']);
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(
      records.map(({ session, tool, own_tool, decision }) => [session, tool, own_tool, decision.effect]),
    ).to.deep.equal([
      ['claude:7d1c', 'read_file', 'Read', 'deny'],
      ['claude:7d1c', 'read_file', 'Read', 'allow'],
    ]);
    expect((await project.run(['audit', 'verify'])).code).to.equal(0);
  });

  it('is answered by a server that runs, through a socket for this user alone', async () => {
    mkdirSync(sockets(), { recursive: true });
    chmodSync(project.state, 0o700);
    const left = join(sockets(), socketName('another', '999999999-1'));
    writeFileSync(left, '');
    const server = project.serve();
    await server.initialize();
    const mine = () => readdirSync(sockets()).filter((name) => join(sockets(), name) !== left);
    const modes = () => mine().map((name) => statSync(join(sockets(), name)).mode & 0o777);
    await eventually('a socket for this user alone', () => modes()[0] === 0o600);
    expect(readdirSync(sockets())).to.deep.equal(mine());
    const { stdout } = await hook(secret());
    expect(JSON.parse(stdout).hookSpecificOutput).to.include({ permissionDecision: 'deny' });
    await server.end();
    await server.exit;
    expect(readdirSync(sockets())).to.deep.equal([]);
  });

  const refusedIn = async (input: string, env?: NodeJS.ProcessEnv) => {
    const { code, stdout, stderr } = await hook(input, env);
    expect(code).to.equal(2);
    expect(stdout).to.equal('');
    return stderr;
  };

  it('refuses with 2 where it cannot judge: no JSON, a broken policy, a folder that is gone', async () => {
    expect(await refusedIn('no JSON')).to.contain('refused');
    expect(await refusedIn(secret(), { CLAUDE_PROJECT_DIR: '/no/such/folder' })).to.contain('cannot judge');
    expect(await refusedIn(secret(), { CLAUDE_PROJECT_DIR: project.env.HOME })).to.contain(
      'too much to give',
    );
    const policy = project.write('broken.yaml', 'tools: [\n');
    expect(await refusedIn(secret(), { CASTELLAN_POLICY: policy })).to.contain('broken.yaml');
  });

  it('judges 2 MB as it judges little', async () => {
    const content = 'x'.repeat(2 * 1024 * 1024);
    const policy = project.write('own.yaml', 'extends: [builtin:workspace]\n');
    const file = question('Write', { file_path: project.path('big.txt'), content });
    expect(await hook(file, { CASTELLAN_POLICY: policy })).to.deep.equal({
      code: 0,
      stdout: '{}\n',
      stderr: '',
    });
  });

  /** Stands in for servers that would answer this hook. */
  const listening = async (answers: readonly string[], work: () => Promise<void>) => {
    mkdirSync(sockets(), { recursive: true, mode: 0o700 });
    const identity = hookIdentity(project.folder, project.env, packageVersion);
    const servers = answers.map((answer, index) =>
      createServer({ allowHalfOpen: true }, (socket) => {
        socket.on('error', () => undefined);
        socket.resume().on('end', () => socket.end(answer));
      }).listen(join(sockets(), socketName(identity, `${index}-1`))),
    );
    writeFileSync(join(sockets(), socketName(identity, '9-1')), '');
    await work().finally(() => {
      for (const server of servers) server.close();
    });
  };

  it('prints what the server says, and loads nothing else', () =>
    listening([JSON.stringify({ code: 0, stdout: '{"from":"the server"}\n', stderr: '' })], async () => {
      expect(await hook('anything')).to.deep.equal({
        code: 0,
        stdout: '{"from":"the server"}\n',
        stderr: '',
      });
    }));

  it('believes no socket that says nothing, half an answer, or that is gone', () =>
    listening(['', '{"code":0,', '{"code":"0","stdout":"","stderr":""}'], async () => {
      const { stdout } = await hook(secret());
      expect(JSON.parse(stdout).hookSpecificOutput).to.include({ permissionDecision: 'deny' });
    }));
});
