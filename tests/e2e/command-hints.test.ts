import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { HonestProject } from '../support/honest-project.js';

const POLICY = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
`;

describe('Commands that succeeded although the sandbox refused something', function () {
  this.timeout(60_000);
  let project: HonestProject;
  let client: CommandClient;

  before(async () => {
    project = new HonestProject();
    writeFileSync(join(project.workspace, 'CLAUDE.md'), 'as it is\n');
    client = await CommandClient.start(project, project.policy(POLICY));
  });

  after(async () => {
    await client?.stop();
    project?.remove();
  });

  /** One request to a name that no network could resolve, by a program that is on every machine of the tests. */
  const REQUEST = `node -e 'require("dns").lookup("example.invalid", (error) => { throw error; })'`;

  it('say that the network is off, once', async () => {
    const reply = await client.run(`${REQUEST} || ${REQUEST} || true`);
    expect(reply.value?.exit_code).to.equal(0);
    expect(reply.instruction?.match(/network is off/g)).to.have.length(1);
  });

  it('name the protected file', async () => {
    const script = 'require("fs").writeFileSync("CLAUDE.md", "x")';
    const reply = await client.run(`node -e '${script}' || true`);
    expect(reply.value?.exit_code).to.equal(0);
    expect(reply.instruction).to.match(/Commands cannot change CLAUDE\.md: .* Ask the user/);
  });

  it('name the protected file that an editor in place could not replace', async () => {
    const reply = await client.run('sed -i s/as/is/ CLAUDE.md || true');
    expect(reply.instruction).to.match(/Commands cannot change CLAUDE\.md/);
  });

  it('say once what lies outside, in the /tmp of others or is masked', async () => {
    const outside = await client.run('cat /srv/data/x; ls /srv/data/x; true');
    expect(outside.instruction?.match(/not visible to commands here/g)).to.have.length(1);
    const temporary = await client.run('cat /tmp/of-another-session || true');
    expect(temporary.instruction).to.match(/\/tmp of commands is their own/);
    const masked = await client.run('grep -rl token . ; grep -r token .; true');
    expect(masked.instruction?.match(/Commands cannot read \.env/g)).to.have.length(1);
  });

  it('say that what was left running has ended, and how to keep it', async () => {
    const reply = await client.run('sleep 87.5 & echo started');
    expect(reply.value?.stdout).to.equal('started\n');
    expect(reply.instruction).to.match(/ended with it: sleep\. .* background: true/);
    expect((await client.run('sleep 0.01 & wait; echo over')).instruction).to.equal(undefined);
  });

  it('let a process substitution end what it does', async () => {
    const reply = await client.run("echo hi > >(sed 's/^/it says /' > said.txt)");
    expect(reply.instruction).to.equal(undefined);
    expect((await client.run('cat said.txt')).value?.stdout).to.equal('it says hi\n');
  });

  it('tell of a protected file also after a timeout', async () => {
    const script = `require("fs").mkdirSync(".id" + "ea"); setTimeout(() => 0, 60000)`;
    const reply = await client.run({ command: `node -e '${script}'`, timeout: 2 });
    expect(reply.error).to.match(/timed out after 2s.*\.idea.*Tell the user/s);
  });

  it('say nothing where nothing was refused', async () => {
    const reply = await client.run('cat CLAUDE.md; echo "Could not resolve host"; true');
    expect(reply.value?.exit_code).to.equal(0);
    expect(reply.instruction).to.equal(undefined);
  });

  describe('and moves', () => {
    const move = (source: string, destination: string, more: object = {}) =>
      client.call('move_path', { source, destination, ...more });

    it('blame the destination where it is the reason', async () => {
      expect((await move('README.md', 'CLAUDE.md')).error).to.match(/destination: This file is protected/);
      expect((await move('README.md', '/etc/x')).error).to.match(/destination: The policy lets move_path/);
      const overwrite = { overwrite: true };
      expect((await move('README.md', 'src', overwrite)).error).to.match(/^src is a directory/);
      expect((await move('tests', 'src', overwrite)).error).to.match(/^The directory src is not empty/);
      expect((await move('src', 'README.md', overwrite)).error).to.match(/^Not a directory: README\.md/);
      expect((await move('src', 'src/inner')).error).to.match(
        /^The destination src\/inner lies inside the source/,
      );
      expect((await move('src', 'src')).error).to.match(/^The destination src is the source itself/);
      expect((await move('README.md', 'missing/x')).error).to.match(/No such file or directory: missing\/x/);
    });

    it('blame the source where that is the reason', async () => {
      expect((await move('nothere', 'x')).error).to.match(/No such file or directory: nothere/);
      expect((await move('CLAUDE.md', 'x')).error).to.match(/source: This file is protected/);
    });
  });
});
