import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { CommandOutcome, LiveCommand } from '../../src/application/ports/command/command-sandbox.js';
import { Result } from '../../src/domain/result.js';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { eventually } from '../support/eventually.js';
import { outcomeOf, requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

type Changes = Parameters<SandboxGround['job']>[0];

describe('The view that commands of a session share (bubblewrap)', () => {
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;

  beforeEach(async () => {
    ground = new SandboxGround();
    sandbox = ground.bubblewrap();
    await requireSandbox(sandbox);
  });

  afterEach(async () => {
    await sandbox.close();
    ground.remove();
  });

  const at = (path: string): string => join(ground.workspace, path);
  const run = (text: string, changes: Changes = {}, session = 'one'): Promise<CommandOutcome> =>
    outcomeOf(sandbox, { ...ground.shell(text, changes), session, tmp: join(ground.state, 'tmp', session) });

  it('gives each command its own folder, variables and words', async () => {
    mkdirSync(at('sub'));
    await run('true', { env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', OLD: 'secret', BOTH: '1' } });
    const odd = `a'b"c\\d\n$e\t\u0081\u0082é\u{1F600}`;
    const text = `pwd; env | sort; printf '%s' "$ODD" | od -An -tx1 -v | tr -d ' \\n'`;
    const { stdout, stderr, exitCode } = await run(text, {
      cwd: at('sub'),
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', BOTH: '2', ODD: odd },
    });
    expect(exitCode, stderr).to.equal(0);
    const lines = stdout.split('\n');
    expect(lines[0]).to.equal(at('sub'));
    expect(lines).to.include('BOTH=2');
    expect(stdout).not.to.match(/^(?:OLD|OLDPWD|go)=/m);
    expect(lines.at(-1)).to.equal(Buffer.from(odd).toString('hex'));
  });

  it('gives each command the limits, descriptors and powers that a first one has', async () => {
    const look = 'ulimit -a; ls /proc/self/fd; env | sort; id; grep -E "Cap|Seccomp|NoNew" /proc/self/status';
    const limits = { openFiles: 77, cpuSeconds: 9, processes: 99 };
    const first = await run(look, { limits });
    await run('true');
    expect((await run(look, { limits })).stdout).to.equal(first.stdout);
  });

  function guarding(): Changes {
    const hide = [at('d/secret')];
    const view = { read: [], write: [ground.workspace], hide, readOnlyInside: [at('d/fixed')] };
    return { view, currentView: async () => Result.ok(view) };
  }

  function files(): void {
    mkdirSync(at('d'));
    writeFileSync(at('d/secret'), 'hush\n');
    writeFileSync(at('d/fixed'), 'fixed\n');
  }

  const CHANGES: Readonly<Record<string, () => void>> = {
    'a hidden file was saved again': () => {
      writeFileSync(at('new'), 'hush again\n');
      renameSync(at('new'), at('d/secret'));
    },
    'a protected file was saved again': () => {
      writeFileSync(at('new'), 'fixed\n');
      renameSync(at('new'), at('d/fixed'));
    },
    'the folder around them was exchanged': () => {
      renameSync(at('d'), at('away'));
      files();
      rmSync(at('away'), { recursive: true });
    },
    'the workspace was exchanged': () => {
      renameSync(ground.workspace, `${ground.workspace}-away`);
      mkdirSync(ground.workspace, { mode: 0o777 });
      files();
    },
  };
  for (const [what, change] of Object.entries(CHANGES)) {
    it(`is right again for the next command when ${what} meanwhile`, async () => {
      files();
      const same = guarding();
      await run('true', same);
      change();
      const next = await run('cat d/secret; echo x > d/fixed; cat d/fixed; touch here', same);
      expect(next.stdout, JSON.stringify(next)).to.equal('fixed\n');
      // What it wrote lies where the workspace is now.
      expect(await run('ls', same).then((listed) => listed.stdout)).to.contain('here');
    });
  }

  it('is another one for another view, network or set of programs, and the first one again afterwards', async () => {
    mkdirSync(at('d'));
    writeFileSync(at('d/secret'), 'hush\n');
    const look =
      'cat d/secret; echo x > d/made && echo writes; ls /sys/class/net /proc/net/dev; sed --version';
    const usual = (await run(look)).stdout;
    expect(usual)
      .to.match(/^hush\nwrites\n/)
      .and.to.include('GNU sed');
    const hiding = {
      view: { read: [], write: [ground.workspace], hide: [at('d/secret')], readOnlyInside: [] },
    };
    expect((await run(look, hiding)).stdout).not.to.include('hush');
    const reading = { view: { read: [ground.workspace], write: [], hide: [], readOnlyInside: [] } };
    expect((await run(look, reading)).stdout).not.to.include('writes');
    expect((await run(look, { without: ['/usr/bin/sed'] })).stdout).not.to.include('GNU sed');
    const network = 'readlink /proc/self/ns/net';
    const own = (await run(network)).stdout;
    expect((await run(network, { network: 'host' })).stdout).not.to.equal(own);
    expect((await run(network)).stdout).to.equal(own);
    expect((await run(look)).stdout).to.equal(usual);
  });

  it('shows nothing of how it was made: neither what is staged for it nor processes of the host', async () => {
    writeFileSync(at('.env'), 'SECRET');
    const view = { read: [], write: [ground.workspace], hide: [at('.env')], readOnlyInside: [] };
    const { stdout } = await run('ls -R /dev | grep -c stage; ls -d /proc/[0-9]* | wc -l; cat .env', {
      view,
    });
    const [staged, processes] = stdout.split('\n').map(Number);
    expect(staged).to.equal(0);
    expect(processes).to.be.lessThan(9);
    expect(stdout).not.to.include('SECRET');
  });

  it('has devices in its /dev alone, which commands cannot change', async () => {
    const { stdout } = await run(
      "grep -v nodev /proc/self/mountinfo | cut -d' ' -f5 | grep -v '^/dev/'; touch /dev/new /dev/pts/new 2>/dev/null || echo closed; echo x > /dev/shm/own; echo x > /dev/null; cat /dev/shm/own",
    );
    expect(stdout).to.equal('closed\nx\n');
    expect((await run('ls /dev/shm')).stdout).to.equal('');
  });

  it('follows a secret that is masked while several commands run, and belongs to its session alone', async () => {
    const secret = at('.env');
    writeFileSync(secret, 'OLD');
    const view = { read: [], write: [ground.workspace], hide: [secret], readOnlyInside: [] };
    const wait = 'touch begun-$N; while [ ! -e go ]; do sleep 0.01; done; cat .env';
    const lives: LiveCommand[] = [];
    const onLive = (command: LiveCommand): (() => void) => {
      lives.push(command);
      return () => undefined;
    };
    const start = (N: string) => run(wait, { view, onLive, env: { PATH: '/usr/bin:/bin', N } });
    const running = [start('1'), start('2')];
    await eventually('both have begun', () => existsSync(at('begun-1')) && existsSync(at('begun-2')));
    writeFileSync(at('new'), 'NEW');
    renameSync(at('new'), secret);
    // One mount for both.
    await lives[0]?.cover({ hide: [secret], readOnlyInside: [] });
    writeFileSync(at('go'), '');
    for (const { stdout } of await Promise.all(running)) expect(stdout).to.equal('');
  });

  it('takes thousands of names, in one folder and in as many folders', async () => {
    const count = process.env.CASTELLAN_LONG === '1' ? 10_000 : 2_000;
    const [hide, readOnlyInside]: [string[], string[]] = [[], []];
    mkdirSync(at('keys'));
    for (let index = 0; index < count / 2; index += 1) {
      hide.push(at(`keys/${index}.pem`));
      mkdirSync(at(`d${index}`));
      readOnlyInside.push(at(`d${index}/AGENTS.md`));
    }
    for (const path of [...hide, ...readOnlyInside]) writeFileSync(path, 'text');
    const view = { read: [], write: [ground.workspace], hide, readOnlyInside };
    const text = `cat keys/0.pem keys/${count / 2 - 1}.pem; echo x > d0/AGENTS.md; echo x > d${count / 2 - 1}/AGENTS.md; mv d1 e1; echo ran`;
    const limits = { timeoutMs: 60_000 };
    for (let time = 0; time < 2; time += 1)
      expect((await run(text, { view, limits })).stdout).to.equal('ran\n');
    expect(readFileSync(at('d0/AGENTS.md'), 'utf8')).to.equal('text');
    expect(existsSync(at('e1'))).to.equal(false);
  }).timeout(120_000);
});
