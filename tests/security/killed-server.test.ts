import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { descendantsOf } from '../../src/infrastructure/command/process/memory-watchdog.js';
import { hasEnded } from '../../src/infrastructure/command/process/paused-processes.js';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { happens } from '../support/eventually.js';
import { HonestProject } from '../support/honest-project.js';
import { processesWith } from '../support/sandbox-jobs.js';

const KILLS = process.env.CASTELLAN_LONG === '1' ? 200 : 4;

const WORKSPACE = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
`;

/** Several at once, so that one kill meets several moments. */
const LINES: readonly ((sleep: string) => string)[] = [
  (sleep) => sleep,
  (sleep) => `nohup ${sleep} > /dev/null 2>&1`,
  (sleep) => `setsid -f ${sleep}; ${sleep}`,
  (sleep) => `perl -e 'fork and exit; $SIG{TERM} = "IGNORE"; exec @ARGV' ${sleep}; ${sleep}`,
];

describe('A server that is killed with SIGKILL', function () {
  this.timeout(1_800_000);
  let project: HonestProject;
  let policy: string;
  const survivors: string[] = [];

  before(() => {
    project = new HonestProject();
    policy = project.policy(WORKSPACE);
  });

  after(() => project?.remove());

  /** Starts a server, lets it run commands and kills it after `moment` times what a command takes. */
  async function round(number: number, moment: number, isWarm: boolean): Promise<void> {
    const marker = `9${process.pid}${number}.375`;
    const client = await CommandClient.start(project, policy);
    let waitMs = 40 * moment;
    if (isWarm) {
      await client.run('true');
      const started = performance.now();
      await client.run('true');
      waitMs = (performance.now() - started) * moment;
    }
    for (const [index, line] of LINES.entries()) {
      client.server.post({
        id: `round-${index}`,
        method: 'tools/call',
        params: { name: 'execute_command', arguments: { command: line(`sleep ${marker}`) } },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await client.server.signal('SIGKILL');
    const left = (): readonly number[] => [...processesWith(marker), ...processesWith(project.root)];
    if (!(await happens(() => left().length === 0, 3_000)))
      survivors.push(`after ${waitMs.toFixed(1)} ms${isWarm ? '' : ', cold'}: ${left().join(' ')}`);
    for (const pid of left()) end(pid);
  }

  /** A test that fails leaves nothing behind either. */
  function end(pid: number): void {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }

  it(`leaves no process of any call, not even bwrap, at ${KILLS} moments from the start of a call on`, async () => {
    for (let number = 0; number < KILLS; number += 1)
      await round(number, (3 * number) / KILLS + Math.random() / 8, number % 4 !== 3);
    expect(survivors).to.deep.equal([]);
    // Without a process, only a mount could keep a namespace.
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n');
    expect(mounts.filter((line) => line.includes(' nsfs ') || line.includes(project.root))).to.deep.equal([]);
  });

  it('leaves nothing of its sessions between two commands', async () => {
    const client = await CommandClient.start(project, policy);
    await client.run('true');
    const held = descendantsOf(client.server.pid);
    expect(held).not.to.deep.equal([]);
    await client.server.signal('SIGKILL');
    expect(await happens(() => held.every(hasEnded), 3_000)).to.equal(true);
  });
});
