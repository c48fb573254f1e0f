import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';

describe('settings that name what is not there', () => {
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
    project.write('castellan.yaml', 'tools: { exclude: [write_fiel] }\ncategories: { adr: { dir: adr } }\n');
  });
  afterEach(() => project.remove());

  const NAMED = ['--config', 'castellan.yaml'];

  it('are told on stderr at the start, and the server runs all the same', async () => {
    const { code, stderr, stdout } = await project.run(['call', 'echo', '{"message":"hello"}', ...NAMED]);
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: 'Echo: hello' });
    expect(stderr).to.match(
      /castellan\.yaml:1:20: tools\.exclude names write_fiel.*Did you mean write_file\?/,
    );
    expect(stderr).to.match(
      /castellan\.yaml:2:27: categories\.adr\.dir names adr, and there is no such folder/,
    );
  });

  it('are what the doctor finds too, and what it does not find when they are right', async () => {
    const { stdout } = await project.run(['doctor', ...NAMED]);
    expect(stdout)
      .to.match(/warn +settings +2 problems/)
      .and.contain('castellan.yaml:1:20: tools.exclude');
    project.write('adr/0001-a.md', '# A\n');
    project.write(
      'castellan.yaml',
      'tools: { exclude: [example_countdown] }\ncategories: { adr: { dir: adr } }\n',
    );
    const examples = await project.run(['doctor', ...NAMED], { env: { MCP_INCLUDE_EXAMPLE_TOOLS: 'true' } });
    expect(examples.stdout).to.match(/ok +settings +nothing wrong/);
  });

  it('are told by the doctor with file and line where they are not valid, trusted or not', async () => {
    const path = project.write('castellan.yaml', 'project: {}\n');
    const wrong = `${path}:2:10: Expected one of text, envelope, got "loud".`;
    project.write('castellan.yaml', 'project: {}\nanswers: loud\n');
    const found = await project.run(['doctor']);
    expect(found.stdout)
      .to.match(/warn +settings +1 problem/)
      .and.contain(wrong);
    project.write('castellan.yaml', 'project: {}\n');
    expect((await project.run(['trust'])).code).to.equal(0);
    project.write('castellan.yaml', 'project: {}\nanswers: loud\n');
    const known = await project.run(['doctor']);
    expect(known.stdout)
      .to.contain(wrong)
      .and.not.to.match(/ok +settings/);
  });

  it('leave nothing to say of Redis where its address is none', async () => {
    const { code, stdout } = await project.run(['doctor'], { env: { CASTELLAN_REDIS_URL: 'here' } });
    expect(code).to.equal(3);
    expect(stdout).to.match(/warn +redis +not read: the server cannot start/);
  });
});
