import { readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { hashOf } from '../../src/infrastructure/auth/token-file.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { HttpClient } from '../support/http-client.js';

const POLICY = `# who may do what
version: 1
principals:
  # the machine itself
  - { match: { transport: [stdio] }, roles: [default] }

roles: { default: { tools: [echo] }, reader: { tools: [echo, read_file] } }
tools: { read_file: { allowed_paths: [.] } }
`;

describe('castellan key add', function () {
  this.timeout(60_000);
  let project: CliWorkspace;
  beforeEach(() => {
    project = new CliWorkspace();
  });
  afterEach(() => project.remove());

  const keyIn = (stdout: string) => /^Key of .*: (csk_[\w-]{43})$/m.exec(stdout)?.[1] ?? '';

  it('prints a key once and a line to paste, and writes nothing unless it is asked to', async () => {
    const policy = project.write('permissions.yaml', POLICY);
    const { code, stdout } = await project.run(['key', 'add', 'ci', '--role', 'reader']);
    expect(code).to.equal(0);
    expect(stdout).to.contain(
      `  - { name: "ci", match: { api_key: "${hashOf(keyIn(stdout))}" }, roles: ["reader"] }`,
    );
    expect(readFileSync(policy, 'utf8')).to.equal(POLICY);
  });

  it('writes the line at the end of the list on request, and a server knows the caller by its name', async () => {
    const policy = project.write('permissions.yaml', POLICY);
    const { mode } = statSync(policy);
    const { code, stdout } = await project.run(['key', 'add', 'ci', '--role', 'reader', '--write']);
    expect(code).to.equal(0);
    const line = `  - { name: "ci", match: { api_key: "${hashOf(keyIn(stdout))}" }, roles: ["reader"] }`;
    expect(readFileSync(policy, 'utf8')).to.equal(POLICY.replace('[default] }\n', `[default] }\n${line}\n`));
    expect(statSync(policy).mode).to.equal(mode);
    const settings = project.write(
      'settings.yaml',
      'http: { admin: off, public_url: "https://mcp.example.com/mcp" }\n',
    );
    const places = ['--policy', policy, '--config', settings];
    const server = project.serve(['serve', '--http', '--port', '0', ...places]);
    const said = () => server.garbage.join('\n');
    const url = await server.until(() => /serves MCP at (http:\S+),/.exec(said())?.[1]);
    await server.until(() => (said().includes('Gemini CLI') ? true : undefined));
    expect(said()).to.contain('The token is no principal of the policy, so it may do nothing.');
    expect(said()).to.contain('castellan https://mcp.example.com/mcp --header');
    expect(said()).not.to.contain(`castellan ${url}`);
    const client = new HttpClient(url, keyIn(stdout));
    await client.open();
    expect(JSON.stringify(await client.call(1, 'echo', { message: 'hi' }))).to.contain('Echo: hi');
    await server.signal('SIGTERM');
    const { stdout: records } = await project.run(['audit', 'tail', '--json', '--caller', 'ci']);
    expect(JSON.parse(records)).to.include({ principal: 'ci', tool: 'echo' });
  });

  it('leaves a policy as it was if the role is none, or if there is no list to add to', async () => {
    const policy = project.write('permissions.yaml', POLICY);
    const wrong = await project.run(['key', 'add', 'ci', '--role', 'raeder', '--write']);
    expect(wrong.code).to.equal(3);
    expect(wrong.stdout).to.equal('');
    expect(wrong.stderr).to.contain('No role is called raeder');
    expect(readFileSync(policy, 'utf8')).to.equal(POLICY);
    project.write('permissions.yaml', 'extends: [builtin:workspace]\n');
    const first = await project.run(['key', 'add', 'ci', '--role', 'default', '--write']);
    expect(first.code).to.equal(1);
    expect(first.stderr).to.contain('takes the role from all other callers');
    expect(first.stdout).to.contain('transport: [stdio, embedded]');
    expect((await project.run(['key', 'add', 'a\nb', '--role', 'default'])).code).to.equal(2);
    expect((await project.run(['key', 'add', 'ci'])).code).to.equal(2);
  });
});
