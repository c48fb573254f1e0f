import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { CommandOutcome } from '../../src/application/ports/command/command-sandbox.js';
import { Result } from '../../src/domain/result.js';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { eventually } from '../support/eventually.js';
import { outcomeOf, requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';
import { holdMounts, isStopped, waitingShells } from '../support/waiting-shells.js';

type Changes = Parameters<SandboxGround['job']>[0];

const MINE = 'readlink /proc/self/ns/mnt';

describe('A sandbox that stands ready for the next command (bubblewrap)', () => {
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;
  let held: (() => void)[];

  beforeEach(async () => {
    ground = new SandboxGround();
    sandbox = ground.bubblewrap();
    held = [];
    await requireSandbox(sandbox);
  });

  afterEach(async () => {
    for (const release of held) release();
    await sandbox.close();
    ground.remove();
  });

  const at = (path: string): string => join(ground.workspace, path);
  const standing = (): readonly number[] => waitingShells(ground.root);
  const run = (text: string, changes: Changes = {}, session = 'one'): Promise<CommandOutcome> =>
    outcomeOf(sandbox, { ...ground.shell(text, changes), session });

  /** Runs a command and waits until a sandbox stands ready for the next; answers its mount namespace and its shell. */
  async function prepared(changes: Changes = {}, session = 'one') {
    const before = standing();
    await run('true', changes, session);
    const made = (): number | undefined => standing().find((pid) => !before.includes(pid));
    await eventually('a sandbox stands ready', () => made() !== undefined);
    const shell = made() ?? 0;
    const { name, release } = holdMounts(shell);
    held.push(release);
    return { shell, mounts: name };
  }

  it('is what the next command of the session runs in, with its own folder, variables and words', async () => {
    mkdirSync(at('sub'));
    const { mounts } = await prepared({
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', OLD: 'secret', BOTH: '1' },
    });
    const odd = `a'b"c\\d\n$e\t\u0081\u0082é\u{1F600}`;
    const text = `${MINE}; pwd; env | sort; printf '%s' "$ODD" | od -An -tx1 -v | tr -d ' \\n'`;
    const { stdout, stderr, exitCode } = await run(text, {
      cwd: at('sub'),
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', BOTH: '2', ODD: odd },
    });
    expect(exitCode, stderr).to.equal(0);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 2)).to.deep.equal([mounts, at('sub')]);
    expect(lines).to.include('BOTH=2');
    expect(stdout).not.to.match(/^(?:OLD|OLDPWD|go)=/m);
    expect(lines.at(-1)).to.equal(Buffer.from(odd).toString('hex'));
  });

  it('gives limits, descriptors and an environment like one that was set up for its command', async () => {
    const look = 'ulimit -a; ls /proc/self/fd; env | sort; id; grep -E "Cap|Seccomp|NoNew" /proc/self/status';
    const limits = { openFiles: 77, cpuSeconds: 9, processes: 99 };
    const fresh = await run(look, { limits });
    const { mounts } = await prepared();
    const ready = await run(`${MINE}; ${look}`, { limits });
    expect(ready.stdout).to.equal(`${mounts}\n${fresh.stdout}`);
  });

  /** Always the very same view, as long as its words are the same: then plans are kept as well. */
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
    it(`is not used when ${what} meanwhile`, async () => {
      files();
      const same = guarding();
      const { mounts } = await prepared(same);
      change();
      const { stdout } = await run(`${MINE}; cat d/secret; echo x > d/fixed; cat d/fixed; touch here`, same);
      expect(stdout).not.to.contain(mounts);
      expect(stdout).to.match(/^mnt:\[\d+\]\nfixed\n$/);
      expect(stdout).not.to.contain('hush').and.not.to.contain('x\n');
      // What it wrote lies where the workspace is now.
      expect(await run('ls', same).then((listed) => listed.stdout)).to.contain('here');
    });
  }

  it('is not used for another view, network, size of memory folders or set of programs', async () => {
    mkdirSync(at('d'));
    writeFileSync(at('d/secret'), 'hush\n');
    for (const changes of [
      { view: { read: [], write: [ground.workspace], hide: [at('d/secret')], readOnlyInside: [] } },
      { view: { read: [ground.workspace], write: [], hide: [], readOnlyInside: [] } },
      { network: 'host' as const },
      { limits: { tmpBytes: 1024 * 1024 } },
      { without: ['/usr/bin/sed'] },
      { systemCalls: 'all' as const },
    ]) {
      const { mounts } = await prepared();
      expect((await run(MINE, changes)).stdout, JSON.stringify(changes)).not.to.contain(mounts);
      await sandbox.endSession('one');
    }
  });

  it('is not used for a command with an input', async () => {
    const { mounts } = await prepared();
    const { stdout } = await run(`${MINE}; cat`, { stdin: 'text' });
    expect(stdout)
      .to.match(/\ntext$/)
      .and.not.to.contain(mounts);
  });

  it('belongs to its session alone', async () => {
    const { mounts } = await prepared();
    expect((await run(MINE, {}, 'two')).stdout).not.to.contain(mounts);
    expect((await run(MINE)).stdout).to.equal(`${mounts}\n`);
  });

  it('is closed to the commands of its session, which can only end or stop it: then another takes its place', async () => {
    const { shell } = await prepared();
    const look =
      'cd /proc; for p in [0-9]*; do [ $p = $$ ] && continue; grep -q "read -r go" $p/cmdline || continue; echo found;';
    const { stdout } = await run(`${look} cat $p/environ $p/fd/*; ls $p/root/ $p/cwd/; done 2>&1`, {
      stdin: '',
    });
    expect(stdout).to.contain('found').and.to.contain('Permission denied');
    expect(stdout).not.to.match(/PATH=|usr|workspace|ulimit/);
    process.kill(shell, 'SIGSTOP');
    await eventually('it is stopped', () => isStopped(shell));
    expect((await run('echo works')).stdout).to.equal('works\n');
    const next = await prepared();
    process.kill(next.shell, 'SIGKILL');
    await eventually('it is gone', () => !existsSync(`/proc/${next.shell}`));
    expect((await run('echo works')).stdout).to.equal('works\n');
  });

  it('does not show in the command that runs in it or in one that has no neighbours', async () => {
    await prepared();
    const list = 'cat /proc/[0-9]*/cmdline | tr "\\0" " "';
    expect((await run(list)).stdout).not.to.contain('read -r go');
  });

  it('ends with its session and with the server', async () => {
    await prepared();
    await sandbox.endSession('one');
    expect(standing()).to.deep.equal([]);
    await prepared({}, 'two');
    await sandbox.close();
    expect(standing()).to.deep.equal([]);
  });

  it('is one for each session, and few in all', async () => {
    for (let session = 0; session < 10; session += 1) await run('true', {}, `of-${session}`);
    await eventually('no more than eight', () => standing().length <= 8);
  });
});
