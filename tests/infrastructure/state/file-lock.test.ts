import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lutimes, mkdtemp, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileLock } from '../../../src/infrastructure/state/file-lock.js';

describe('FileLock', () => {
  let folder: string;
  let path: string;
  let abandoned: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-lock-'));
    path = join(folder, 'file');
    abandoned = [];
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  function lock(waitMs?: number): FileLock {
    return new FileLock(
      path,
      async (nonce) => {
        abandoned.push(nonce);
      },
      waitMs,
    );
  }

  async function acquired(by: FileLock): Promise<string> {
    const nonce = await by.acquire();
    if (nonce === undefined) throw new Error('the lock was not given');
    return nonce;
  }

  /** What a process of this machine that has ended would have left. */
  async function leaveDead(nonce: string): Promise<void> {
    const mine = await acquired(lock());
    const [place = ''] = (await readlink(`${path}.lock`)).split(':');
    await lock().release(mine);
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    await symlink(`${place}:${gone.pid}:${nonce}`, `${path}.lock`);
  }

  it('is held by one at a time', async () => {
    let inside = 0;
    let most = 0;
    const workers = Array.from({ length: 8 }, async () => {
      const mine = lock();
      for (let round = 0; round < 10; round += 1) {
        const nonce = await acquired(mine);
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        await mine.release(nonce);
      }
    });
    await Promise.all(workers);
    expect(most).to.equal(1);
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('passes from a process that is gone to exactly one of those that wait', async () => {
    await leaveDead('dead');
    const results = await Promise.all(Array.from({ length: 8 }, () => lock(300).acquire()));
    expect(results.filter((nonce) => nonce !== undefined)).to.have.length(1);
    expect(abandoned).to.deep.equal(['dead']);
  });

  it('is not taken from a process elsewhere, whose pid says nothing here', async () => {
    await symlink('another-machine:999999:nonce', `${path}.lock`);
    expect(await lock(50).acquire()).to.equal(undefined);
    expect(await readlink(`${path}.lock`)).to.equal('another-machine:999999:nonce');
  });

  it('is taken from anybody who has had it for longer than any write lasts', async () => {
    await symlink('another-machine:1:old', `${path}.lock`);
    const longAgo = Date.now() / 1000 - 60;
    await lutimes(`${path}.lock`, longAgo, longAgo);
    expect(await lock(2000).acquire()).to.be.a('string');
    expect(abandoned).to.deep.equal(['old']);
  });

  it('survives a process that died while it took the lock over', async () => {
    await leaveDead('dead');
    await symlink(await readlink(`${path}.lock`), `${path}.lock.break`);
    const nonce = await acquired(lock(2000));
    await lock().release(nonce);
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('leaves nothing of a process that died after it had taken the lock away', async () => {
    await leaveDead('dead');
    await rename(`${path}.lock`, `${path}.lock.break`);
    const nonce = await acquired(lock());
    await lock().release(nonce);
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('is not released by one who has lost it', async () => {
    const mine = lock();
    const nonce = await acquired(mine);
    await rm(`${path}.lock`);
    await symlink('another-machine:1:theirs', `${path}.lock`);
    await mine.release(nonce);
    expect(await mine.isHeld(nonce)).to.equal(false);
    expect(await readlink(`${path}.lock`)).to.equal('another-machine:1:theirs');
  });
});
