import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { type Finished, runCommand } from '../support/run-command.js';
import { MAIN } from '../support/spawned-server.js';

const ESCAPE = String.fromCharCode(27);
// An empty folder: what lies in the project's own is found and told about.
const cwd = mkdtempSync(join(tmpdir(), 'castellan-cli-'));

async function castellan(args: readonly string[], input?: string): Promise<Finished> {
  const env = { FORCE_COLOR: '1' };
  const finished = await runCommand(process.execPath, [MAIN, ...args], { cwd, env, ...(input && { input }) });
  expect(finished.stdout + finished.stderr, 'colour codes').to.not.contain(ESCAPE);
  return finished;
}

describe('the command line', () => {
  after(() => rmSync(cwd, { recursive: true }));

  it('lists the tools in columns', async () => {
    const { code, stdout, stderr } = await castellan(['tools']);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head?.split(/\s+/)).to.deep.equal(['TOOL', 'CATEGORY', 'VERSION', 'CONSENT', 'TITLE']);
    expect(rows.map((row) => row.split(/\s+/)[0])).to.include('echo');
  });

  it('lists the tools as JSON with category, version and consent', async () => {
    const { code, stdout } = await castellan(['tools', '--json']);
    expect(code).to.equal(0);
    const listed = JSON.parse(stdout);
    expect(Object.keys(listed)).to.deep.equal(['tools']);
    for (const tool of listed.tools) {
      expect(tool).to.include.keys('name', 'description', 'inputSchema', 'category', 'version', 'consent');
    }
    const echo = listed.tools.find(({ name }: { name: string }) => name === 'echo');
    expect(echo).to.include({ category: 'utility', version: '1.0.0', consent: null });
  });

  it('makes a call and prints its text raw', async () => {
    const called = await castellan(['call', 'echo', '{"message":"hi"}']);
    expect(called).to.deep.equal({ code: 0, stdout: 'Echo: hi', stderr: '' });
  });

  it('prints the output of a command as the command did, also into a pipe', async () => {
    const policy = join(cwd, 'commands.yaml');
    writeFileSync(policy, 'extends: [builtin:workspace]\n');
    const line = '{"command":"echo \\"out\\"; echo err >&2; exit 3"}';
    const called = await castellan(['call', '--policy', policy, 'execute_command', line]);
    expect(called).to.deep.equal({ code: 1, stdout: 'out\n', stderr: 'err\nexit code 3\n' });
  });

  it('prints a file into a pipe as it is, and what else there is to say to stderr', async () => {
    for (const content of ['', 'no end of line', 'one\r\n', 'two\n\n']) {
      writeFileSync(join(cwd, 'file.txt'), content);
      const called = await castellan(['call', 'read_file', '{"path":"file.txt"}']);
      expect(called).to.deep.equal({ code: 0, stdout: content, stderr: '' });
    }
    writeFileSync(join(cwd, 'file.txt'), 'a\nb\nc\n');
    const part = await castellan(['call', 'read_file', '{"path":"file.txt","limit":1}']);
    expect(part).to.include({ code: 0, stdout: 'a\n' });
    expect(part.stderr).to.contain('Read on with offset 1');
  });

  it('makes a call without arguments', async () => {
    expect((await castellan(['call', 'echo'])).stdout).to.equal('Echo: ');
  });

  it('reads the arguments from standard input', async () => {
    const called = await castellan(['call', 'echo', '-'], '{"message":"piped"}\n');
    expect(called).to.deep.equal({ code: 0, stdout: 'Echo: piped', stderr: '' });
  });

  it('prints the result as a client gets it', async () => {
    const { code, stdout } = await castellan(['call', 'echo', '{"message":"hi"}', '--json']);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({ content: [{ type: 'text', text: 'Echo: hi' }] });
  });

  it('ends with 1 for an unknown tool, and names it', async () => {
    const { code, stdout, stderr } = await castellan(['call', 'ecko']);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.contain('Unknown tool: ecko').and.contain('echo');
  });

  it('ends with 1 for a wrong argument; --json shows the failed result', async () => {
    const { code, stdout, stderr } = await castellan(['call', 'echo', '{"volume":11}', '--json']);
    expect(code).to.equal(1);
    expect(JSON.parse(stdout)).to.include({ isError: true });
    expect(stderr).to.contain('volume');
  });

  it('helps, and says its version', async () => {
    const help = await castellan(['--help']);
    expect(help.code).to.equal(0);
    for (const command of ['serve', 'tools', 'call']) expect(help.stdout).to.contain(command);
    const version = await castellan(['--version']);
    expect(version.code).to.equal(0);
    expect(version.stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  it('serves as `castellan serve` just as without a command', async () => {
    const { code, stdout } = await castellan(['serve'], '{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: '{"jsonrpc":"2.0","id":1,"result":{}}\n' });
  });

  it('ends without a stack trace when nobody reads its output', async () => {
    const child = spawn(process.execPath, [MAIN, 'tools', '--json'], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(stderr).to.equal('');
  });
});
