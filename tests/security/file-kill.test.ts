import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { GuardedFileSystem } from '../../src/infrastructure/file/guarded-file-system.js';
import { TemporaryDisk } from '../support/temporary-disk.js';

const KILLS = process.env.CASTELLAN_LONG === '1' ? 200 : 8;
const WRITERS = 4;
const SIZE = 1_000_000;
const SCRIPT = fileURLToPath(new URL('../support/endless-writer.ts', import.meta.url));

describe('kill -9 in the middle of writes and edits', () => {
  let disk: TemporaryDisk;
  let script: string;
  beforeEach(async () => {
    disk = new TemporaryDisk();
    script = `${disk.base}/writer.mjs`;
    await build({ entryPoints: [SCRIPT], outfile: script, bundle: true, platform: 'node', format: 'esm' });
  });
  afterEach(() => disk.dispose());

  /** None where no writer came so far as to make the folder. */
  const namesIn = (folder: string) =>
    existsSync(`${disk.state}/${folder}`) ? readdirSync(`${disk.state}/${folder}`) : [];

  async function killedWriter(file: string): Promise<void> {
    const child = spawn(process.execPath, [script, disk.state, file, String(SIZE)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await sleep(20 + Math.random() * 150);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  it('leaves the old or the new content, whole, and nothing else after the next start', async function () {
    this.timeout(KILLS * 15_000);
    let leftovers = 0;
    // On a busy machine all kills of a round may come before a write has begun: it goes on until one did not.
    for (let round = 0; round < KILLS / WRITERS || (leftovers === 0 && round < KILLS); round += 1) {
      const names = Array.from({ length: WRITERS }, (_, index) => `file${index}`);
      for (const name of names) disk.file(`${disk.root}/${name}`, Buffer.alloc(SIZE, 'z'));
      await Promise.all(names.map((name) => killedWriter(`${disk.root}/${name}`)));
      for (const name of names) {
        const bytes = readFileSync(`${disk.root}/${name}`);
        expect(bytes.length).to.equal(SIZE);
        expect(bytes.equals(Buffer.alloc(SIZE, bytes[0] ?? 0))).to.equal(true);
      }
      leftovers += readdirSync(disk.root).length - WRITERS + namesIn('writes').length;
      await new GuardedFileSystem(disk.state).recover();
      expect(readdirSync(disk.root).sort()).to.deep.equal(names);
      expect(namesIn('writes')).to.deep.equal([]);
      expect(namesIn('journal')).to.deep.equal([]);
      expect(namesIn('locks')).to.deep.equal([]);
    }
    // Without a single leftover the kills came too early to prove anything.
    expect(leftovers).to.be.greaterThan(0);
  });
});
