import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { watchMemory } from '../../../../src/infrastructure/command/process/memory-watchdog.js';
import { pauseProcesses, turnFor } from '../../../../src/infrastructure/command/process/paused-processes.js';

/** Numbers that no process has. */
const MANY = Array.from({ length: 512 }, (_, n) => 2 ** 22 + n);

/** How many turns of the event loop pass until it is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const tick = (): void => {
    turns += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  isOver = true;
  return turns;
}

describe('Work on many processes', () => {
  it('of several commands shares no turn', async () => {
    expect(await turnsOf(() => Promise.all(Array.from({ length: 6 }, () => turnFor(512))))).to.be.at.least(5);
  });

  it('of few processes waits for nobody', async () => {
    await turnFor(512);
    await turnFor(256);
    expect(await turnsOf(() => turnFor(8))).to.equal(0);
  });

  it('gives way while the memory of hundreds is looked at closely', async () => {
    // A small process in the place of all: the kernel goes through each page of a large one.
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const { pid = 0 } = child;
    const processes = () => Array.from({ length: 640 }, () => pid);
    try {
      const turns = await turnsOf(
        () =>
          new Promise<void>((resolve) => {
            watchMemory({ processes, temporary: () => [], limitBytes: 1 }, resolve);
          }),
      );
      expect(turns).to.be.at.least(10);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('gives way between two looks at whether all rest', async () => {
    let looks = 0;
    const list = () => {
      looks += 1;
      return MANY;
    };
    expect(await turnsOf(() => pauseProcesses(list))).to.be.at.least(looks - 1);
    expect(looks).to.be.at.least(3);
  });

  it('counts as rested only what rested before it was listed', async () => {
    const listings = [[1], [1], [1, 2], [1, 2]].map((pids) => pids.map((n) => 2 ** 22 + n));
    let look = 0;
    const seen: number[] = [];
    const isPaused = await pauseProcesses(() => {
      const listed = listings[Math.min(look, listings.length - 1)] ?? [];
      look += 1;
      seen.push(listed.length);
      return listed;
    });
    expect(isPaused).to.equal(true);
    // The child that came while its parent was stopping is seen, told and looked at.
    expect(seen.slice(-1)).to.deep.equal([2]);
    expect(look).to.be.at.least(5);
  });
});
