import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { HonestProject } from '../support/honest-project.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;
const UNCONTAINED = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    sandbox: none\n    shell: static\n    background: false\n    ${MANY_CALLS}\n`;
const ALTERNATING = 'for i in 1 2 3 4 5 6 7 8 9; do echo "out $i"; echo "err $i" >&2; done';
const IN_ORDER = Array.from({ length: 9 }, (_, index) => `out ${index + 1}\nerr ${index + 1}\n`).join('');
const AS_TEXT = { CASTELLAN_ANSWERS: 'text' };

describe('The streams of a command in a text answer', function () {
  this.timeout(60_000);
  let project: HonestProject;
  let client: CommandClient;
  let calls = 1_000;

  before(async () => {
    project = new HonestProject();
    client = await CommandClient.start(project, project.policy(POLICY), AS_TEXT);
  });

  after(async () => {
    await client?.stop();
    project?.remove();
  });

  const blocks = async (
    command: string,
    server = client.server,
    more: object = {},
  ): Promise<readonly string[]> => {
    calls += 1;
    const { result } = await server.callTool(calls, 'execute_command', { command, ...more });
    const content = result?.content as readonly { readonly text: string }[];
    return content.map(({ text }) => text);
  };

  it('S4-12: keep the order in which they were written', async () => {
    for (let round = 0; round < 5; round += 1) expect((await blocks(ALTERNATING))[0]).to.equal(IN_ORDER);
  });

  it('keep it in the background and without a sandbox', async () => {
    const { result } = await client.server.callTool(1, 'execute_command', {
      command: `${ALTERNATING}; sleep 30`,
      wait: 2,
    });
    const content = result?.content as readonly { readonly text: string }[];
    expect(content[0]?.text).to.equal(IN_ORDER);
    // One of its own: a server follows the policy file of its project.
    const other = new HonestProject();
    const direct = await CommandClient.start(other, other.policy(UNCONTAINED), AS_TEXT);
    try {
      const line = 'echo out 1; ls /nowhere; echo out 2';
      expect((await blocks(line, direct.server))[0]).to.match(/^out 1\n\S*ls: .*nowhere.*\nout 2\n$/);
    } finally {
      await direct.stop();
      other.remove();
    }
  });

  it('are fields of their own in a structured answer', async () => {
    const structured = await CommandClient.start(project, project.policy(POLICY));
    try {
      const { value } = await structured.run('echo out; echo err >&2');
      expect(value).to.include({ stdout: 'out\n', stderr: 'err\n' });
    } finally {
      await structured.stop();
    }
  });

  it('let a command that succeeded say what it was kept from, and take no content for that', async () => {
    const missed = await blocks(`curl https://example.invalid || true`);
    expect(missed.join('\n')).to.contain('network is off');
    const closed = await blocks('touch /usr/x || true');
    expect(closed.join('\n')).to.contain('Writable: ');
    const content = await blocks(
      `printf 'notes.md:3: could not resolve host\\nIn 2019 the network is unreachable\\n'`,
    );
    expect(content.join('\n')).not.to.contain('sandbox').and.not.to.contain('network is off');
  });
});
