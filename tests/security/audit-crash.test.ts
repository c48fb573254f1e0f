import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';
import { AuditFixture } from '../support/audit-fixture.js';

const KILLS = process.env.CASTELLAN_LONG === '1' ? 100 : 5;

describe('Audit segments of processes', () => {
  let fixture: AuditFixture;
  let script: string;

  const writer = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [script, fixture.state, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

  before(async () => {
    fixture = await AuditFixture.create();
    script = join(fixture.root, 'writer.mjs');
    await build({
      entryPoints: ['tests/support/audit-writer.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      outfile: script,
      logLevel: 'error',
    });
  });
  after(() => fixture.remove());

  it('are two sound ones, under one key, when two processes start and write at once', async () => {
    const both = [writer('300'), writer('300')];
    const exits = await Promise.all(both.map((child) => once(child, 'exit')));
    expect(exits.map(([code]) => code)).to.deep.equal([0, 0]);
    const verified = await fixture.verify();
    expect(verified.problems).to.deep.equal([]);
    expect(verified.segments.map(({ records, state }) => [records, state])).to.deep.equal([
      [601, 'closed'],
      [601, 'closed'],
    ]);
  });

  it(`verify up to the last whole record after kill -9, in ${KILLS} runs, and say torn, not cut`, async () => {
    for (let run = 0; run < KILLS; run += 1) {
      const child = writer();
      if (child.stdout === null) throw new Error('the writer has no output');
      await once(child.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, 5 + ((run * 7) % 40)));
      child.kill('SIGKILL');
      await once(child, 'exit');
      const segment = (await fixture.segments()).at(-1) ?? '';
      const before = (await fixture.verify(segment)).segments[0];
      // The kernel rarely tears a write itself: half of a next record is what it would have left.
      const text = await readFile(segment, 'utf8');
      if (text.endsWith('\n')) await appendFile(segment, text.slice(0, 40 + run));
      const verified = await fixture.verify(segment);
      expect(verified.problems).to.deep.equal([]);
      expect(verified.segments[0]).to.include({ torn: true, state: 'open', sound: before?.records });
      expect(before?.records).to.be.at.least(2);
    }
    expect((await fixture.verify()).problems).to.deep.equal([]);
  }).timeout(KILLS * 4000);
});
