import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { builtinTools } from '../../src/presentation/tools/builtin-tools.js';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { happens } from '../support/eventually.js';
import { HonestProject } from '../support/honest-project.js';
import { isRunning, processesWith } from '../support/sandbox-jobs.js';

const WORKSPACE = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
    env: { pass: [PATH, LANG], set: { FROM_POLICY: "1" }, accept: [FROM_CALLER] }
`;

/** Seconds that no other process on the machine sleeps. */
const mark = (number: number): string => `9${process.pid}${number}.75`;

describe('execute_command and system_info over the wire', function () {
  this.timeout(120_000);
  let project: HonestProject;
  let client: CommandClient;

  before(async () => {
    project = new HonestProject();
    client = await CommandClient.start(project, project.policy(WORKSPACE), {
      SERVER_SECRET: 'of-the-server',
    });
  });

  after(async () => {
    await client?.stop();
    project?.remove();
  });

  it('S4-12: answers with exit code, stdout and stderr; a non-zero exit is no failure', async () => {
    const reply = await client.run('echo out; echo err >&2; ls nothere');
    expect(reply.success).to.equal(true);
    expect(reply.value).to.include({ exit_code: 2, stdout: 'out\n', truncated: false });
    expect(reply.value?.stderr).to.match(/^err\n.*nothere/s);
    expect(reply.value?.sandbox).to.match(/^bubblewrap, network off/);
  });

  it('S4-12, S4-22: a command that takes too long is ended and says so', async () => {
    const reply = await client.run({ command: `sleep ${mark(1)}`, timeout: 0.5 });
    expect(reply.error_type).to.equal('ToolTimeoutError');
    expect(reply.error).to.match(/^Command timed out after 0\.5s/);
    expect(await happens(() => processesWith(mark(1)).length === 0)).to.equal(true);
  });

  it('S4-06: both belong to the category system', () => {
    const system = builtinTools.filter(({ category }) => category === 'system').map(({ name }) => name);
    expect(system).to.include.members(['execute_command', 'system_info']);
  });

  it('S4-13: system_info tells the system, the run-time and the sandbox, and no secret', async () => {
    const reply = await client.call('system_info', {});
    expect(reply.value).to.have.all.keys(
      'platform',
      'system',
      'release',
      'version',
      'machine',
      'processor',
      'node_version',
      'python_version',
      'cwd',
      'user',
      'sandbox',
    );
    expect(reply.value).to.include({
      cwd: project.workspace,
      node_version: process.versions.node,
      python_version: null,
    });
    expect(JSON.stringify(reply)).not.to.include('of-the-server');
  });

  it('C17: exact arguments are special to nobody', async () => {
    const reply = await client.run({ command: 'printf', args: ['%s\n', '$(id)', '; ls', '*', '~', '-n'] });
    expect(reply.value?.stdout).to.equal('$(id)\n; ls\n*\n~\n-n\n');
  });

  it('a refused syntax is named with its column and what to write instead', async () => {
    const policy = join(project.root, 'static.yaml');
    writeFileSync(policy, `${WORKSPACE}    shell: static\n`);
    const strict = await CommandClient.start(project, policy);
    const reply = await strict.run('echo $(date)').finally(() => strict.stop());
    expect(reply.error).to.match(/Command substitution is not accepted \(column 6\)/);
    expect(reply.error).to.match(/Run the inner command first and pass its result/);
  });

  it('the environment is what the policy passes, sets and accepts, and nothing else', async () => {
    const reply = await client.run({ command: 'env', env: { FROM_CALLER: 'yes' } });
    const names = (reply.value?.stdout ?? '').split('\n').map((line) => line.split('=')[0]);
    expect(names).to.include.members(['FROM_POLICY', 'FROM_CALLER', 'PATH', 'HOME']);
    expect(reply.value?.stdout).not.to.include('of-the-server');
    const refused = await client.run({ command: 'env', env: { LD_PRELOAD: 'x' } });
    expect(refused.error_details?.reason).to.equal('ARGUMENT');
  });

  it('standard input is what was given, or closed', async () => {
    expect((await client.run({ command: 'cat', stdin: 'given\n' })).value?.stdout).to.equal('given\n');
    expect((await client.run('cat')).value?.stdout).to.equal('');
  });

  it('keeps head and tail of 50 MB in less than 10 MB of memory, and saves all of it where asked', async () => {
    await client.run('seq 1 300000');
    const before = client.server.rss;
    const reply = await client.run("echo first; head -c 50000000 /dev/zero | tr '\\0' x; echo last");
    const grown = client.server.rss - before;
    expect(reply.value?.stdout)
      .to.match(/^first\nxxx/)
      .and.match(/xlast\n$/);
    expect(reply.value?.truncated).to.equal(true);
    expect(grown).to.be.below(10 * 1024 * 1024);
    const saved = await client.run({ command: 'seq 1 100000', save_output: 'all.log' });
    expect(saved.instruction).to.match(/588895 bytes, is in all\.log/);
    expect(readFileSync(join(project.workspace, 'all.log'), 'utf8').split('\n').length).to.equal(100_001);
  });

  it('saves nothing where the policy does not let it write, also through a link', async () => {
    symlinkSync(project.root, join(project.workspace, 'way-out'));
    for (const save_output of ['../escaped.log', '.vscode/tasks.json', '.env', 'way-out/escaped.log']) {
      expect((await client.run({ command: 'echo x', save_output })).success, save_output).to.equal(false);
    }
    expect(existsSync(join(project.root, 'escaped.log'))).to.equal(false);
  });

  it('control characters that grow in an answer are cut and do not break it', async () => {
    const reply = await client.run("head -c 150000 /dev/zero | tr '\\0' '\\1'");
    expect(reply.success, reply.error).to.equal(true);
    expect(reply.value?.truncated).to.equal(true);
  });

  it('shows lines while it runs to a client that gave a token, and none to another', async () => {
    const before = client.server.messages.length;
    await client.server.request('with-token', 'tools/call', {
      name: 'execute_command',
      arguments: { command: 'echo one; sleep 2; echo two' },
      _meta: { progressToken: 'p' },
    });
    const shown = client.server.messages
      .slice(before)
      .filter(({ method }) => method === 'notifications/progress');
    expect(JSON.stringify(shown)).to.include('one');
    const between = client.server.messages.length;
    await client.run('echo one; sleep 0.2; echo two');
    expect(client.server.messages.slice(between).some(({ method }) => method !== undefined)).to.equal(false);
  });

  it('a cancelled call leaves nothing running', async () => {
    client.server.post({
      id: 'to-cancel',
      method: 'tools/call',
      params: { name: 'execute_command', arguments: { command: `sleep ${mark(2)}` } },
    });
    expect(await happens(() => processesWith(mark(2)).length > 0)).to.equal(true);
    client.server.post({ method: 'notifications/cancelled', params: { requestId: 'to-cancel' } });
    expect(await happens(() => processesWith(mark(2)).length === 0)).to.equal(true);
  });

  it('what a command was kept from is explained, and what it should not have made is told', async () => {
    const kept = await client.run('touch .git/hooks/pre-commit');
    expect(kept.success).to.equal(false);
    const hook = await client.run('python3 -c \'open(".git/hooks/pre-commit", "w")\'');
    expect(hook.message).to.match(/stays out of the user's git folder.*hooks\/pre-commit/);
    expect(existsSync(join(project.workspace, '.git/hooks/pre-commit'))).to.equal(false);
    const made = await client.run('python3 -c \'import os; os.mkdir(".vscode")\'');
    expect(made.message).to.match(/\.vscode, which other programs execute/);
    const inside = await client.run('python3 -c \'open(".vscode/tasks.json", "w")\'');
    expect(inside.instruction).to.match(/Writable: .*read-only inside: .*\.vscode/);
    const nested = await client.run('mkdir -p data/sub && git init -q data/sub');
    expect(nested.message, 'a repository in which nothing runs').to.equal(undefined);
    const settings = await client.run('python3 -c \'open("castellan.yaml", "w")\'');
    expect(settings.message).to.match(/castellan\.yaml \(kept as .*moved to the quarantine folder/);
    expect(existsSync(join(project.workspace, 'castellan.yaml'))).to.equal(false);
    expect((await client.run('touch data/sub/a')).message).to.equal(undefined);
    const offline = await client.run('curl -sS https://example.com');
    expect(offline.instruction).to.match(/network is off/);
  });

  it('a pattern after a command that makes files sees them', async () => {
    mkdirSync(join(project.workspace, 'fresh'));
    writeFileSync(join(project.workspace, 'fresh', '-n'), '');
    const reply = await client.run('cd fresh && touch new.txt && echo *');
    expect(reply.value?.stdout.trim().split(' ').sort()).to.deep.equal(['./-n', './new.txt']);
  });

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`nothing survives the server's ${signal}`, async () => {
      const other = await CommandClient.start(project, project.policy(WORKSPACE));
      const marker = mark(signal === 'SIGKILL' ? 3 : 4);
      other.server.post({
        id: 1,
        method: 'tools/call',
        params: { name: 'execute_command', arguments: { command: `nohup sleep ${marker}; sleep ${marker}` } },
      });
      expect(await happens(() => isRunning('sleep', marker))).to.equal(true);
      void other.server.signal(signal);
      expect(await happens(() => processesWith(marker).length === 0)).to.equal(true);
      await other.stop();
    });
  }

  it('nothing survives a client that hangs up', async () => {
    const other = await CommandClient.start(project, project.policy(WORKSPACE));
    other.server.post({
      id: 1,
      method: 'tools/call',
      params: {
        name: 'execute_command',
        arguments: { command: `setsid -f sleep ${mark(5)}; sleep ${mark(5)}` },
      },
    });
    expect(await happens(() => isRunning('sleep', mark(5)))).to.equal(true);
    void other.server.end();
    expect(await happens(() => processesWith(mark(5)).length === 0, 3_000)).to.equal(true);
    await other.stop();
  });

  it('without bubblewrap commands are refused by the name of the package, and all else works', async () => {
    const bare = await CommandClient.start(project, project.policy(WORKSPACE), { PATH: '/nonexistent' });
    try {
      const reply = await bare.run({ command: '/bin/true' });
      expect(reply.error_details?.reason).to.equal('SANDBOX_UNAVAILABLE');
      expect(reply.error).to.match(/SANDBOX_UNAVAILABLE.*apt install bubblewrap/s);
      expect((await bare.call('system_info', {})).value?.sandbox).to.match(/bubblewrap/);
      expect((await bare.call('echo', { message: 'x' })).success).to.equal(true);
    } finally {
      await bare.stop();
    }
  });

  it('runs without a sandbox only where the policy says so', async () => {
    const policy = WORKSPACE.replace('    env:', '    sandbox_unavailable: none\n    env:');
    const bare = await CommandClient.start(project, project.policy(policy), { PATH: '/nonexistent' });
    try {
      const reply = await bare.run('/bin/echo here');
      expect(reply.value?.stdout).to.equal('here\n');
      expect(reply.value?.sandbox).to.match(/^none/);
    } finally {
      await bare.stop();
    }
  });
});
