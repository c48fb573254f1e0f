import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { HonestProject } from '../support/honest-project.js';

/** Every key of a policy that bounds a command, each with a value that nothing else has. */
const POLICY = `
extends: [builtin:workspace]
sandboxes:
  narrow:
    filesystem: { read: ["."], write: [output], hide: ["**/logs"] }
    network: none
    seccomp: none
    new_privileges: false
tools:
  echo: { limits: { max_input_bytes: 100 } }
  execute_command:
    allowed_commands: ["*", { command: [tac], sandbox: strict, limits: { processes: 33 } }]
    sandbox: narrow
    env: { pass: [PATH], set: { FROM_POLICY: here } }
    limits:
      timeout: 8
      max_output_bytes: 16KiB
      max_file_bytes: 3MiB
      memory: 256MiB
      processes: 77
      open_files: 99
    ${MANY_CALLS}
`;

describe('What a policy says about commands is what they meet', function () {
  this.timeout(60_000);
  let project: HonestProject;
  let client: CommandClient;

  before(async () => {
    project = new HonestProject();
    mkdirSync(join(project.workspace, 'output'));
    client = await CommandClient.start(project, project.policy(POLICY));
  });

  after(async () => {
    await client?.stop();
    project?.remove();
  });

  const said = async (command: string): Promise<string> => (await client.run(command)).value?.stdout ?? '';
  const limit = (text: string, name: string): number =>
    Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(text)?.[1]);

  it('files, processes, file size and processor time', async () => {
    const limits = await said('cat /proc/self/limits');
    expect(limit(limits, 'Max open files')).to.equal(99);
    // The sandbox's own two count as well.
    expect(limit(limits, 'Max processes')).to.equal(79);
    expect(limit(limits, 'Max file size')).to.equal(3 * 1024 * 1024);
    expect(limit(limits, 'Max cpu time')).to.equal(64);
    expect(limit(limits, 'Max core file size')).to.equal(0);
  });

  it('memory', async () => {
    const reply = await client.run("python3 -c 'x = bytearray(400_000_000); import time; time.sleep(2)'");
    expect(reply.success).to.equal(false);
    expect(reply.error).to.match(/more than 256 MiB of memory/);
  });

  it('time, which a caller can only shorten', async () => {
    const reply = await client.run({ command: 'sleep 20', timeout: 15 });
    expect(reply.error).to.match(/^Command timed out after 8s/);
  });

  it('output, and the file it is saved to', async () => {
    const reply = await client.run('seq 1 100000');
    expect(reply.value?.truncated).to.equal(true);
    expect(reply.value?.stdout.length).to.be.below(16 * 1024);
    const saved = await client.run({ command: 'yes', save_output: 'output/all.log' });
    expect(saved.success).to.equal(false);
    expect(saved.error).to.match(/longer than 3145728 bytes/);
  });

  it('folders and what is hidden in them', async () => {
    expect((await client.run('python3 -c \'open("a", "w")\'')).value?.stderr).to.match(/Read-only/);
    expect((await client.run('python3 -c \'open("output/a", "w").write("x")\'')).value?.exit_code).to.equal(
      0,
    );
    expect(readFileSync(join(project.workspace, 'output/a'), 'utf8')).to.equal('x');
    expect(await said('find logs -type f')).to.equal('');
  });

  it('variables, network and the system call filter', async () => {
    const names = (await said('env')).split('\n').map((line) => line.split('=')[0] ?? '');
    // Toolchains on PATH add where they lie.
    const others = names.filter((name) => !/^$|_(ROOT|HOME|DIR)$/.test(name));
    const offline = names.filter((name) => /^(PIP|npm_config)_/.test(name));
    // Where the policy hides files, git is told of a filter, so that it takes none of them for empty.
    const forGit = ['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0'];
    expect(others).to.have.members(['FROM_POLICY', 'HOME', 'PATH', 'PWD', ...forGit, ...offline]);
    // Where the network is off, installers are told not to try again and again.
    expect(offline).to.include.members(['PIP_RETRIES', 'npm_config_fetch_retries']);
    expect(await said('cat /proc/net/dev'))
      .to.match(/lo:/)
      .and.not.to.match(/eth|ens|enp/);
    expect(await said('grep Seccomp: /proc/self/status')).to.equal('Seccomp:\t0\n');
    expect((await client.run('true')).value?.sandbox).to.match(/system calls not filtered/);
  });

  it('a rule of one program narrows what its entry says', async () => {
    const reply = await client.run({ command: 'tac', args: ['/proc/self/limits'] });
    expect(limit(reply.value?.stdout ?? '', 'Max processes')).to.equal(35);
    expect((await client.run({ command: 'tac', args: ['README.md'] })).value?.exit_code).not.to.equal(0);
  });

  it('how much a call may bring', async () => {
    expect((await client.call('echo', { message: 'short' })).success).to.equal(true);
    const reply = await client.call('echo', { message: 'x'.repeat(200) });
    expect(reply.error_type).to.equal('LimitExceededError');
    expect(reply.error).to.match(/limits\.max_input_bytes/);
  });
});
