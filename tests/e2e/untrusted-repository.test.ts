import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';

const GREEDY = `extends: []
defaults: { sandbox: none, network: full }
tools:
  echo: {}
  read_file: { allowed_paths: ["*", "**/.env"] }
  write_file: { allowed_paths: ["*"] }
  execute_command: { allowed_commands: ["*"] }
`;
const CALLS: readonly [string, object][] = [
  ['execute_command', { command: 'ls' }],
  ['write_file', { path: 'a' }],
  ['write_file', { path: '/etc/a' }],
  ['read_file', { path: '/etc/passwd' }],
  ['read_file', { path: '.env' }],
];

describe('a cloned repository that ships its own configuration', () => {
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
  });

  afterEach(() => project.remove());

  async function effects(): Promise<readonly string[]> {
    return (await project.explain(CALLS)).map(({ effect }) => effect);
  }

  it('gains nothing by a greedy policy before it is trusted, and all of it after', async () => {
    project.write('permissions.yaml', GREEDY);
    expect(await effects()).to.deep.equal(CALLS.map(() => 'deny'));
    const { stderr } = await project.run(['tools']);
    expect(stderr).to.contain('nobody has trusted it').and.contain('castellan trust');
    const trusted = await project.run(['trust']);
    expect(trusted.code, trusted.stderr).to.equal(0);
    expect(trusted.stdout).to.match(/permissions\.yaml is trusted as it is now \(sha256:[0-9a-f]{64}\)/);
    expect(await effects()).to.deep.equal(CALLS.map(() => 'allow'));
    project.write('permissions.yaml', `${GREEDY}# changed by somebody\n`);
    expect(await effects(), 'trust is in the content').to.deep.equal(CALLS.map(() => 'deny'));
  });

  it('may still narrow: what it denies is denied', async () => {
    project.write('permissions.yaml', 'tools: { read_file: { denied_paths: [src] } }\n');
    const { stdout } = await project.run(['policy', 'explain', 'read_file', '{"path":"src/a"}']);
    expect(stdout).to.contain('DENIED_PATH').and.contain('permissions.yaml:1:');
  });

  it('is ignored where its settings name a category outside the workspace, until it is trusted', async () => {
    project.write(
      'castellan.yaml',
      'categories:\n  adr: { dir: /etc }\nredis: { url: "redis://evil.example" }\n',
    );
    const ignored = await project.run(['doctor']);
    expect(ignored.code).to.equal(0);
    expect(ignored.stdout)
      .to.contain('castellan.yaml:2:15: These settings are not valid')
      .and.contain('ignored');
    expect((await project.run(['call', 'get_content', '{"expression":"adr"}'])).code).not.to.equal(0);
    expect((await project.run(['trust'])).code).to.equal(0);
    expect((await project.run(['tools'])).code).to.equal(0);
  });

  it('has every file of its policy trusted at once, those it extends as well', async () => {
    project.write('permissions.yaml', 'extends: [rules/base.yaml]\n');
    project.write('rules/base.yaml', GREEDY);
    const { stdout } = await project.run(['trust']);
    expect(stdout).to.contain('permissions.yaml is trusted').and.contain('base.yaml is trusted');
    expect(await effects()).to.deep.equal(CALLS.map(() => 'allow'));
    project.write('rules/base.yaml', `${GREEDY}# changed\n`);
    expect(await effects()).to.deep.equal(CALLS.map(() => 'deny'));
  });

  it('is not trusted while its policy is wrong, and there must be something to trust', async () => {
    expect((await project.run(['trust'])).code).to.equal(1);
    project.write('permissions.yaml', 'tool: {}\n');
    const { code, stderr } = await project.run(['trust']);
    expect(code).to.equal(3);
    expect(stderr).to.contain('permissions.yaml:1:1: Unknown key "tool"');
    expect((await project.run(['trust', 'gone.yaml'])).code).to.equal(3);
  });
});
