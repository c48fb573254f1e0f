import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';
import { eventually } from '../support/eventually.js';
import { POLICY_MISTAKES } from '../support/policy-mistakes.js';

const GOOD = 'extends: []\ntools: { echo: { timeout: 3 } }\n';

describe('a mistake in the policy file of a server', () => {
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
  });

  afterEach(() => project.remove());

  for (const [name, content, wanted] of POLICY_MISTAKES) {
    it(`keeps it from starting: ${name}`, async () => {
      const file = project.write('policy.yaml', content);
      const { code, stdout, stderr } = await project.run(['serve', '--policy', 'policy.yaml']);
      expect({ code, stdout }).to.deep.equal({ code: 3, stdout: '' });
      const lines = stderr.trimEnd().split('\n');
      expect(lines, stderr).to.have.length(1);
      expect(stderr).to.match(wanted).and.to.contain(`${file}:`);
    });
  }

  it('leaves the last good one in force while it runs, and says so, whatever the mistake', async () => {
    project.write('policy.yaml', GOOD);
    const server = project.serve(['--policy', 'policy.yaml']);
    await server.initialize();
    let id = 0;
    for (const [name, content, wanted] of POLICY_MISTAKES) {
      const before = server.stderr.length;
      project.write('policy.yaml', content);
      const said = () => server.stderr.slice(before).replaceAll('\\"', '"');
      await eventually(`${name} is reported`, () => wanted.test(said()));
      expect(said(), name).to.include('last good one');
      const answer = await server.callTool(++id, 'echo', { message: name });
      expect(answer.result?.isError, name).to.equal(undefined);
      const refused = await server.callTool(++id, 'get_tool_stats');
      expect(refused.result?.isError, `${name} opens nothing`).to.equal(true);
    }
    const before = server.stderr.length;
    project.write('policy.yaml', 'tools: { echo: { timeout: 4 } }\n');
    await eventually('the good one is taken up', () =>
      server.stderr.slice(before).includes('The policy was reloaded'),
    );
    expect((await server.callTool(++id, 'get_tool_stats')).result?.isError).to.equal(undefined);
  });
});
