import { homedir } from 'node:os';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type {
  CommandSandbox,
  OutputLine,
  SandboxJob,
} from '../../src/application/ports/command/command-sandbox.js';
import { DirectRunner } from '../../src/infrastructure/command/unsandboxed/direct-runner.js';
import { SeatbeltSandbox } from '../../src/infrastructure/command/unsandboxed/seatbelt-sandbox.js';
import { happens } from '../support/eventually.js';
import { outcomeOf, processesWith, requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

type Adapter = readonly [string, (ground: SandboxGround) => CommandSandbox];

/** Never met by a root server. */
const ONLY_BUBBLEWRAP: Adapter = [
  'bubblewrap where nothing else may make namespaces',
  (ground) => ground.bubblewrap({ onlyBubblewrap: true }),
];
const ADAPTERS: readonly Adapter[] = [
  ['bubblewrap', (ground) => ground.bubblewrap()],
  ['bubblewrap in a session', (ground) => ground.inSession(ground.bubblewrap())],
  ['none', () => new DirectRunner()],
  ...(process.getuid?.() === 0 ? [] : [ONLY_BUBBLEWRAP]),
];
/** On a Mac, where the workflow of that name runs it. */
const SEATBELT: Adapter = ['seatbelt', () => new SeatbeltSandbox(homedir())];
/** The ordinary user's turn in a run of root, who has seen the others. */
const onLinux = process.env.CASTELLAN_AGAIN === '1' ? [ONLY_BUBBLEWRAP] : ADAPTERS;
const adapters = process.platform === 'darwin' ? [SEATBELT] : onLinux;

for (const [name, create] of adapters) {
  describe(`CommandSandbox: ${name}`, () => {
    let ground: SandboxGround;
    let sandbox: CommandSandbox;

    before(async () => {
      ground = new SandboxGround();
      sandbox = create(ground);
      await requireSandbox(sandbox);
    });

    after(() => ground.remove());

    const argv = (file: string, ...args: string[]): Pick<SandboxJob, 'program'> => ({
      program: { kind: 'argv', file, args },
    });

    it('says what it is', async () => {
      const [kind] = name.split(' ');
      expect(sandbox.kind).to.equal(kind);
      expect(await sandbox.detect()).to.include({ state: 'available', kind });
    });

    it('S4-12: gives exit code, both streams and the time taken', async () => {
      const outcome = await outcomeOf(sandbox, ground.shell("'/bin/echo' out; '/bin/echo' err >&2; exit 3"));
      expect(outcome).to.include({ exitCode: 3, stdout: 'out\n', stderr: 'err\n', truncated: false });
      expect(outcome.durationMs).to.be.a('number').greaterThan(0);
      expect(outcome.sandbox).to.include(sandbox.kind);
    });

    it('passes arguments exactly as they are', async () => {
      const words = ['a b', '', '$HOME', '*', "it's", 'line\nbreak', '-n', '"; exit 9'];
      const outcome = await outcomeOf(sandbox, ground.job(argv('/usr/bin/printf', '[%s]', ...words)));
      expect(outcome.stdout).to.equal(words.map((word) => `[${word}]`).join(''));
    });

    it('reports a signal as a shell does', async () => {
      expect((await outcomeOf(sandbox, ground.shell('kill -9 $$'))).exitCode).to.equal(137);
    });

    it('answers a program that does not exist with a failure or 127', async () => {
      const result = await sandbox.run(ground.job(argv('/no/such/program')), new AbortController().signal);
      if (result.success) expect(result.value.exitCode).to.equal(127);
      else expect(result.error.kind).to.equal('execution');
    });

    it('gives the text of stdin, and a closed stdin without one', async () => {
      const text = 'ümlaut\n'.repeat(20_000);
      const given = await outcomeOf(sandbox, ground.job({ ...argv('/usr/bin/wc', '-c'), stdin: text }));
      expect(Number(given.stdout)).to.equal(Buffer.byteLength(text));
      expect((await outcomeOf(sandbox, ground.job(argv('/bin/cat')))).stdout).to.equal('');
    });

    it('survives a command that does not read its stdin', async () => {
      const outcome = await outcomeOf(sandbox, ground.job({ stdin: 'x'.repeat(1_000_000) }));
      expect(outcome.exitCode).to.equal(0);
    });

    it('S4-22: shows the environment it was given and nothing else', async () => {
      process.env.CASTELLAN_SECRET_OF_SERVER = 'leak';
      const job = ground.job({ ...argv('/usr/bin/env'), env: { PATH: '/usr/bin:/bin', A: '1' } });
      const lines = (await outcomeOf(sandbox, job)).stdout.trim().split('\n');
      delete process.env.CASTELLAN_SECRET_OF_SERVER;
      const names = lines.map((line) => line.split('=')[0]).filter((key) => key !== 'PWD');
      expect(names).to.have.members(['PATH', 'A', 'HOME']);
      expect(lines).to.include(`HOME=${ground.home}`);
    });

    it('runs in the folder it was given', async () => {
      expect((await outcomeOf(sandbox, ground.job(argv('/bin/pwd')))).stdout).to.equal(
        `${ground.workspace}\n`,
      );
    });

    it('has no terminal', async () => {
      const outcome = await outcomeOf(sandbox, ground.shell("'/usr/bin/tty' </dev/tty"));
      expect(outcome.exitCode).not.to.equal(0);
    });

    it('keeps head and tail of a long output and counts the middle', async () => {
      const job = ground.job({ ...argv('/usr/bin/seq', '1', '100000'), limits: { maxOutputBytes: 1000 } });
      const outcome = await outcomeOf(sandbox, job);
      expect(outcome.truncated).to.equal(true);
      expect(outcome.stdout)
        .to.match(/^1\n2\n3\n/)
        .and.match(/99999\n100000\n$/);
      const cut = /\[… (\d+) bytes cut …\]/.exec(outcome.stdout);
      const marker = Buffer.byteLength(`\n${cut?.[0]}\n`);
      expect(Buffer.byteLength(outcome.stdout) - marker + Number(cut?.[1])).to.equal(588_895);
    });

    it('reports each line while the command runs', async () => {
      const lines: OutputLine[] = [];
      await outcomeOf(
        sandbox,
        ground.shell("'/bin/echo' one; '/bin/echo' two >&2; '/usr/bin/printf' end", {
          onOutput: (line) => void lines.push(line),
        }),
      );
      expect(lines).to.have.deep.members([
        { stream: 'stdout', text: 'one' },
        { stream: 'stderr', text: 'two' },
        { stream: 'stdout', text: 'end' },
      ]);
    });

    it('hands the whole output to the one who saves it, whatever is cut from the answer', async () => {
      let saved = 0;
      const outcome = await outcomeOf(
        sandbox,
        ground.job({
          ...argv('/usr/bin/seq', '1', '100000'),
          limits: { maxOutputBytes: 100 },
          saveOutput: async (chunk) => {
            await new Promise((resolve) => setTimeout(resolve, 1));
            saved += chunk.length;
          },
        }),
      );
      expect(outcome.truncated).to.equal(true);
      expect(saved).to.equal(588_895);
    });

    it('ends the command when its output cannot be saved', async () => {
      const job = ground.job({
        ...argv('/usr/bin/yes'),
        saveOutput: async () => {
          throw new Error('disk full');
        },
      });
      const result = await sandbox.run(job, new AbortController().signal);
      expect(result.success || result.error).to.include({ kind: 'execution' });
      expect(result.success || result.error.message).to.include('disk full');
    });

    it('S4-23: ends a command at its timeout, shows what it had said and leaves nothing running', async () => {
      const marker = `7${process.pid}1${name.length}.5`;
      const job = ground.shell(`'/bin/echo' begun; '/bin/sleep' ${marker} & '/bin/sleep' ${marker}`, {
        limits: { timeoutMs: 2_500 },
      });
      const result = await sandbox.run(job, new AbortController().signal);
      expect(result.success || result.error).to.include({ kind: 'timeout', timeoutMs: 2_500 });
      expect(result.success || result.error.message).to.include('begun');
      expect(await happens(() => processesWith(marker).length === 0)).to.equal(true);
    });

    it('ends a command when the call is cancelled, before it starts and while it runs', async () => {
      const marker = `7${process.pid}2${name.length}.5`;
      const early = await sandbox.run(ground.job(argv('/bin/sleep', marker)), AbortSignal.abort());
      expect(early.success || early.error).to.include({ kind: 'cancelled' });
      const controller = new AbortController();
      const running = sandbox.run(ground.job(argv('/bin/sleep', marker)), controller.signal);
      expect(await happens(() => processesWith(marker).length > 0)).to.equal(true);
      controller.abort();
      const late = await running;
      expect(late.success || late.error).to.include({ kind: 'cancelled' });
      expect(await happens(() => processesWith(marker).length === 0)).to.equal(true);
    });

    it('does not wait for a child that holds the pipe', async () => {
      const marker = `7${process.pid}3${name.length}.5`;
      const outcome = await outcomeOf(sandbox, ground.shell(`'/bin/sleep' ${marker} & '/bin/echo' done`));
      expect(outcome).to.include({ exitCode: 0, stdout: 'done\n' });
      expect(await happens(() => processesWith(marker).length === 0)).to.equal(true);
    });

    it('ends a command whose processes together use too much memory', async () => {
      const eat = `'/usr/bin/perl' -e 'my $x = "a" x 80_000_000; sleep 20'`;
      const job = ground.shell(`${eat} & ${eat} & ${eat} & wait`, { limits: { memoryBytes: 150_000_000 } });
      const result = await sandbox.run(job, new AbortController().signal);
      expect(result.success || result.error).to.include({ kind: 'limit-exceeded' });
    });

    it('runs many commands at once', async () => {
      const jobs = Array.from({ length: 8 }, (_, index) => ground.job(argv('/bin/echo', String(index))));
      const outcomes = await Promise.all(jobs.map((job) => outcomeOf(sandbox, job)));
      expect(outcomes.map(({ stdout }) => Number(stdout))).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
    });
  });
}
