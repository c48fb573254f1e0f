import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CommandClient } from '../support/command-client.js';
import { HonestProject } from '../support/honest-project.js';
import { SEED_LINES } from '../support/seed-command-lines.js';

const SEED = join(import.meta.dirname, '../support/seed-permissions.yaml');

describe("The seed's policy, with a client that cannot be asked anything", function () {
  this.timeout(120_000);
  let project: HonestProject;
  let client: CommandClient;

  before(async () => {
    project = new HonestProject();
    const seed = readFileSync(SEED, 'utf8');
    const roomy = seed.replace(
      '    timeout: 30',
      '    timeout: 30\n    rate: { limit: 10000/min, burst: 10000 }',
    );
    client = await CommandClient.start(project, project.policy(roomy));
  });

  after(async () => {
    await client?.stop();
    project?.remove();
  });

  it('S4-23: ls, cat, grep and find with pipes work as in a plain shell', async () => {
    expect(SEED_LINES.length).to.be.at.least(60);
    const replies = await client.runAll(SEED_LINES, 4);
    for (const [index, line] of SEED_LINES.entries()) {
      const { value, error } = replies[index] ?? {};
      const plain = spawnSync('bash', ['--noprofile', '--norc', '-c', line], {
        cwd: project.workspace,
        env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
      });
      expect(error, line).to.equal(undefined);
      expect([value?.exit_code, value?.stdout], line).to.deep.equal([plain.status, plain.stdout]);
    }
  });

  it('S4-23: reads the workspace and writes to ./output and /tmp, and to /etc not', async () => {
    const temporary = `/tmp/castellan-seed-${process.pid}.txt`;
    try {
      expect((await client.call('read_file', { path: 'README.md' })).success).to.equal(true);
      for (const path of ['output/made.txt', './output/deep/made.txt', temporary]) {
        const args = { path, content: 'x', create_dirs: true };
        const reply = await client.call('write_file', args);
        expect(reply.success, `${path}: ${reply.error}`).to.equal(true);
      }
      expect(readFileSync(join(project.workspace, 'output/made.txt'), 'utf8')).to.equal('x');
      expect(readFileSync(temporary, 'utf8')).to.equal('x');
      // The test's own workspace lies in /tmp.
      for (const path of ['/etc/castellan-seed', '/usr/castellan-seed', '/var/castellan-seed']) {
        const reply = await client.call('write_file', { path, content: 'x', create_dirs: true });
        expect(reply.error_type, path).to.equal('PermissionDeniedError');
        expect(existsSync(path), path).to.equal(false);
      }
      expect((await client.call('read_file', { path: '/etc/passwd' })).success).to.equal(false);
      expect((await client.run('ls output | grep made')).value?.stdout).to.equal('made.txt\n');
    } finally {
      rmSync(temporary, { force: true });
    }
  });

  it('S4-23: what the policy denies or does not list is not run', async () => {
    const victim = join(project.workspace, 'victim.txt');
    writeFileSync(victim, 'x');
    for (const command of [
      'rm victim.txt',
      '/bin/rm victim.txt',
      'ls; rm victim.txt',
      'env rm victim.txt',
      'ls | xargs rm',
      'find . -delete',
    ]) {
      const reply = await client.run(command);
      expect(reply.success, command).to.equal(false);
    }
    expect((await client.run('rm victim.txt')).error_details?.reason).to.equal('DENIED_COMMAND');
    expect((await client.run('touch x')).error_details?.reason).to.equal('NO_ALLOW');
    expect(existsSync(victim)).to.equal(true);
    rmSync(victim);
  });

  it('S4-23: /etc is not read by a redirection that leads out, and nothing is written', async () => {
    const shadow = await client.run('cat /etc/shadow');
    expect(shadow.value?.stdout ?? '').to.equal('');
    for (const command of ['ls > /etc/x', 'ls > x.txt', 'ls >> README.md', 'ls > /usr/x']) {
      expect((await client.run(command)).success, command).to.equal(false);
    }
    expect(existsSync(join(project.workspace, 'x.txt'))).to.equal(false);
  });

  it('secrets are not shown to a command that nobody could have named', async () => {
    const reply = await client.run('grep -r TOKEN .');
    expect(reply.value?.stdout).to.equal('');
    expect((await client.run('cat .env')).error_details?.reason).to.equal('PROTECTED');
    const listed = await client.run('cat .en*');
    expect(listed.value?.stdout ?? '').not.to.include('not-for-commands');
  });

  it('a folder that commands do not see is no place to start in', async () => {
    mkdirSync(join(project.root, 'elsewhere'), { recursive: true });
    const reply = await client.run({ command: 'ls', cwd: join(project.root, 'elsewhere') });
    expect(reply.error_details?.reason).to.equal('NO_ALLOW');
    const missing = await client.run({ command: 'ls', cwd: 'not-there' });
    expect(missing.error_type).to.equal('ToolValidationError');
  });
});
