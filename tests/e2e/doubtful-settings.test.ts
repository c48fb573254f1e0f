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
});
