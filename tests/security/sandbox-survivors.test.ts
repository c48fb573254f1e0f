import { type ChildProcess, fork } from 'node:child_process';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { CommandOutcome } from '../../src/application/ports/command/command-sandbox.js';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { happens } from '../support/eventually.js';
import { processesWith, requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

const SERVER = fileURLToPath(new URL('../support/sandbox-server.ts', import.meta.url));

/** Ways to outlive the one who started you; each runs `sleep MARKER` in the background. */
const SHAPES: Readonly<Record<string, (sleep: string) => string>> = {
  'a background job that holds the pipe': (sleep) => `${sleep} &`,
  'a daemon without descriptors': (sleep) => `'/usr/bin/nohup' ${sleep} </dev/null >/dev/null 2>&1 &`,
  'a double fork': (sleep) => `( ( ${sleep} & ) & )`,
  'a session of its own': (sleep) => `'/usr/bin/setsid' '-f' ${sleep}`,
  'a child that ignores every polite signal': (sleep) =>
    `( trap '' TERM INT HUP QUIT; ${sleep}; ${sleep} ) &`,
  'a perl daemon after two forks and setsid': (sleep) =>
    `'/usr/bin/perl' -MPOSIX -e 'exit if fork; setsid; exit if fork; $SIG{TERM}="IGNORE"; exec @ARGV' ${sleep} &`,
};

describe('Nothing outlives its command (bubblewrap)', () => {
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;
  let counter = 0;

  before(async () => {
    ground = new SandboxGround();
    sandbox = ground.bubblewrap();
    await requireSandbox(sandbox);
  });

  after(async () => {
    await sandbox.close();
    ground.remove();
  });

  function newMarker(): string {
    counter += 1;
    return `8${process.pid}${counter}.25`;
  }

  const none = (marker: string) => happens(() => processesWith(marker).length === 0);
  const some = (marker: string, count: number) => happens(() => processesWith(marker).length >= count);

  for (const [shape, script] of Object.entries(SHAPES)) {
    it(`${shape} dies when the command ends by itself`, async () => {
      const marker = newMarker();
      const text = `${script(`'/bin/sleep' ${marker}`)}\n'/bin/sleep' 0.1`;
      const result = await sandbox.run(ground.shell(text), new AbortController().signal);
      expect(result.success && result.value.exitCode).to.equal(0);
      expect(await none(marker)).to.equal(true);
    });

    it(`${shape} dies at the timeout`, async () => {
      const marker = newMarker();
      const text = `${script(`'/bin/sleep' ${marker}`)}\n'/bin/sleep' ${marker}`;
      const job = ground.shell(text, { limits: { timeoutMs: 250 } });
      const result = await sandbox.run(job, new AbortController().signal);
      expect(result.success || result.error.kind).to.equal('timeout');
      expect(await none(marker)).to.equal(true);
    });

    it(`${shape} dies when the call is cancelled`, async () => {
      const marker = newMarker();
      const controller = new AbortController();
      const text = `${script(`'/bin/sleep' ${marker}`)}\n'/bin/sleep' ${marker}`;
      const running = sandbox.run(ground.shell(text), controller.signal);
      expect(await some(marker, 2)).to.equal(true);
      controller.abort();
      const result = await running;
      expect(result.success || result.error.kind).to.equal('cancelled');
      expect(await none(marker)).to.equal(true);
    });
  }

  interface Report {
    readonly state: 'running' | 'done';
    readonly outcome?: CommandOutcome;
    readonly growth?: number;
  }

  function startServer(text: string): ChildProcess {
    // Not setup.ts: who is killed cannot remove the folder that it makes. The environment is ours already.
    const server = fork(SERVER, [], { execArgv: ['--import', 'tsx', '--import', 'reflect-metadata'] });
    server.send({ job: ground.shell(text), realHome: homedir(), stateFolder: ground.state });
    return server;
  }

  function report(server: ChildProcess, state: Report['state']): Promise<Report> {
    return new Promise((resolve, reject) => {
      server.on('message', (message: Report) => message.state === state && resolve(message));
      server.once('exit', () => reject(new Error('the server ended before it reported')));
    });
  }

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`everything dies when the server itself gets ${signal}`, async () => {
      const marker = newMarker();
      const sleep = `'/bin/sleep' ${marker}`;
      const shapes = Object.values(SHAPES).map((script) => script(sleep));
      const server = startServer(`${shapes.join('\n')}\n${sleep}`);
      expect(await some(marker, shapes.length + 1)).to.equal(true);
      server.kill(signal);
      expect(await none(marker)).to.equal(true);
    });
  }

  it('reads 50 MB of output in less than 10 MB of memory and keeps head and tail', async () => {
    const server = startServer(
      `'/bin/echo' first; '/usr/bin/head' -c 50000000 /dev/zero | '/usr/bin/tr' '\\0' x; '/bin/echo' last`,
    );
    const { outcome, growth } = await report(server, 'done');
    expect(outcome?.stdout)
      .to.match(/^first\nxxx/)
      .and.match(/xxxlast\n$/);
    expect(outcome?.truncated).to.equal(true);
    expect(growth).to.be.lessThan(10 * 1024 * 1024);
  });
});
