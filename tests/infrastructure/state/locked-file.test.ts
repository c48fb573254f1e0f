import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LockedFile } from '../../../src/infrastructure/state/locked-file.js';
import { PROJECT } from '../../support/spawned-server.js';

const WRITERS = 3;
const KILLED = process.env.CASTELLAN_LONG === '1' ? 50 : 3;
const TIMES = 40;

describe('LockedFile', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-locked-'));
    path = join(folder, 'count');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A writer, and how many changes it has said to have made. */
  function start(times: number): { readonly child: ChildProcess; readonly made: () => number } {
    const script = join(PROJECT, 'tests/support/locked-counter-process.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', script, path, String(times)], {
      cwd: PROJECT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let made = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      made += chunk.length;
      child.emit('made', made);
    });
    return { child, made: () => made };
  }

  it('loses no change and leaves nothing behind where writers are killed', async () => {
    const lasting = Array.from({ length: WRITERS }, () => start(TIMES));
    const ended = lasting.map(({ child }) => once(child, 'close'));
    let acknowledged = 0;
    for (let index = 0; index < KILLED; index += 1) {
      const victim = start(1_000_000);
      // Some way into its work, at a moment nobody chooses.
      while (victim.made() < 3 + index) await once(victim.child, 'made');
      victim.child.kill('SIGKILL');
      await once(victim.child, 'close');
      acknowledged += victim.made();
    }
    for (const [code] of await Promise.all(ended)) expect(code).to.equal(0);
    acknowledged += WRITERS * TIMES;
    // A change that was made but not told of any more is one at most for each that was killed.
    expect(Number(readFileSync(path, 'utf8'))).to.be.within(acknowledged, acknowledged + KILLED);
    await new LockedFile(path).change(async (replace) => replace('0'));
    expect(readdirSync(folder)).to.deep.equal(['count']);
  }).timeout(300_000);

  it('leaves the file as it was where the work fails, and can be used again', async () => {
    writeFileSync(path, 'old');
    const file = new LockedFile(path);
    const failed = await file
      .change(() => Promise.reject(new Error('no')))
      .catch((error: Error) => error.message);
    expect(failed).to.equal('no');
    expect(readFileSync(path, 'utf8')).to.equal('old');
    expect(await file.change(async (replace) => replace('new'))).to.deep.equal({ value: undefined });
    expect(readFileSync(path, 'utf8')).to.equal('new');
    expect(readdirSync(folder)).to.deep.equal(['count']);
  });
});
