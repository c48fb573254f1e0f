import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { replaceFolder } from '../../scripts/replace-folder.js';

describe('Replacing the folder of a build', () => {
  let place: string;
  let dist: string;

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'castellan-replace-'));
    dist = join(place, 'dist');
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  function put(folder: string, text: string): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'chunk.js'), text);
  }
  const chunk = () => readFileSync(join(dist, 'chunk.js'), 'utf8');
  const endedProcess = () => spawnSync(process.execPath, ['-e', '']).pid;

  it('keeps the old one whole until the new one is', async () => {
    put(dist, 'old');
    writeFileSync(join(dist, 'gone.js'), 'only in the old one');
    await replaceFolder(dist, async (staging) => {
      put(staging, 'new');
      expect(chunk()).to.equal('old');
      expect(readdirSync(dist)).to.have.members(['chunk.js', 'gone.js']);
    });
    expect(chunk()).to.equal('new');
    expect(readdirSync(dist)).to.deep.equal(['chunk.js']);
    expect(readdirSync(place)).to.deep.equal(['dist']);
  });

  it('makes the first one where there is none', async () => {
    await replaceFolder(dist, async (staging) => put(staging, 'first'));
    expect(chunk()).to.equal('first');
  });

  it('leaves the old one and nothing else when the build fails', async () => {
    put(dist, 'old');
    const failing = replaceFolder(dist, async (staging) => {
      put(staging, 'half');
      throw new Error('no such module');
    });
    expect(await failing.catch((error: unknown) => String(error))).to.contain('no such module');
    expect(chunk()).to.equal('old');
    expect(readdirSync(place)).to.deep.equal(['dist']);
  });

  it('removes what an interrupted build left, and nothing of one that still runs', async () => {
    const ended = endedProcess();
    put(dist, 'old');
    put(`${dist}.next-${ended}`, 'half');
    put(`${dist}.last-${ended}`, 'older');
    put(`${dist}.next-${process.ppid}`, 'being built');
    put(`${dist}ance.next-${ended}`, 'not ours');
    await replaceFolder(dist, async (staging) => put(staging, 'new'));
    expect(readdirSync(place)).to.have.members([
      'dist',
      `dist.next-${process.ppid}`,
      `distance.next-${ended}`,
    ]);
  });

  it('puts back the old one when the interrupted build had just moved it away', async () => {
    put(`${dist}.last-${endedProcess()}`, 'old');
    await replaceFolder(dist, async (staging) => {
      expect(chunk()).to.equal('old');
      put(staging, 'new');
    });
    expect(chunk()).to.equal('new');
    expect(readdirSync(place)).to.deep.equal(['dist']);
  });
});
