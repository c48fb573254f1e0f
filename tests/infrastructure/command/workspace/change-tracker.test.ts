import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ChangeTracker } from '../../../../src/infrastructure/command/workspace/change-tracker.js';

describe('ChangeTracker', () => {
  let base: string;
  let tracker: ChangeTracker;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'castellan-tracker-'));
    tracker = new ChangeTracker(join(base, 'state'));
    for (const name of ['a', 'b']) mkdirSync(join(base, name));
  });

  afterEach(() => {
    tracker.close();
    rmSync(base, { recursive: true, force: true });
  });

  it('has told everything that happened before a drain when the drain is over', async () => {
    const told: string[] = [];
    for (const name of ['a', 'b'])
      tracker.watch(join(base, name), (kind, file) => told.push(`${kind} ${name}/${file}`));
    for (let round = 0; round < 50; round += 1) {
      writeFileSync(join(base, 'a', `${round}`), '');
      writeFileSync(join(base, 'b', `${round}`), '');
      await tracker.drain();
      expect(told).to.include.members([`moved a/${round}`, `moved b/${round}`]);
    }
    expect(tracker.losses).to.equal(0);
  });

  it('serves many who drain at once, each with what came before its own call', async () => {
    const told = new Set<string | undefined>();
    tracker.watch(join(base, 'a'), (_, file) => told.add(file));
    const checks = Array.from({ length: 20 }, async (_, index) => {
      await new Promise((resolve) => setImmediate(resolve));
      writeFileSync(join(base, 'a', `${index}`), '');
      await tracker.drain();
      expect(told.has(`${index}`)).to.equal(true);
    });
    await Promise.all(checks);
  });

  it('counts a flood, in which events may have been lost', async () => {
    tracker.watch(join(base, 'a'), () => undefined);
    await tracker.drain();
    // Without a turn of the event loop, so that all of them wait in the queue.
    for (let index = 0; index < 9_000; index += 1) writeFileSync(join(base, 'a', `${index}`), 'x');
    await tracker.drain();
    expect(tracker.losses).to.be.greaterThan(0);
  });

  it('notices that its own state was removed, and goes on', async () => {
    tracker.watch(join(base, 'a'), () => undefined);
    await tracker.drain();
    rmSync(join(base, 'state'), { recursive: true });
    await tracker.drain();
    expect(tracker.losses).to.be.greaterThan(0);
    const { losses } = tracker;
    await tracker.drain();
    expect(tracker.losses).to.equal(losses);
  });

  it('removes what killed servers left, and itself at its end', async () => {
    mkdirSync(join(base, 'state/99999999-dead'), { recursive: true });
    await tracker.drain();
    expect(readdirSync(join(base, 'state'))).to.have.length(1);
    tracker.close();
    expect(readdirSync(join(base, 'state'))).to.deep.equal([]);
  });
});
