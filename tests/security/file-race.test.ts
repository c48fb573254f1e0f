import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ContentQuery, SearchAccess } from '../../src/application/ports/file/content-search.js';
import { Result } from '../../src/domain/result.js';
import { GuardedFileSystem } from '../../src/infrastructure/file/guarded-file-system.js';
import { GuardedFileWalker } from '../../src/infrastructure/file/guarded-file-walker.js';
import { LinuxLocator } from '../../src/infrastructure/file/locate/linux-locator.js';
import { GuardedContentSearch } from '../../src/infrastructure/file/search/guarded-content-search.js';
import { ripgrepPath, ripgrepSieve } from '../../src/infrastructure/file/search/ripgrep-search.js';
import { rootGuard } from '../contract/safe-file-system.contract.js';
import { ExchangingNeighbour } from '../support/exchanging-neighbour.js';
import { TemporaryDisk } from '../support/temporary-disk.js';

const SECONDS = process.env.CASTELLAN_LONG === '1' ? 30 : 3;

describe('a neighbour that exchanges folders and files with links to the outside', () => {
  let disk: TemporaryDisk;
  let access: SearchAccess;
  let files: GuardedFileSystem;
  let neighbour: ExchangingNeighbour;

  beforeEach(() => {
    disk = new TemporaryDisk();
    for (const folder of ['folder', 'deep/folder']) disk.file(`${disk.root}/${folder}/file`, 'inside');
    disk.file(`${disk.root}/file`, 'inside');
    disk.file(`${disk.outside}/file`, 'SECRET');
    disk.file(`${disk.outside}/SECRET-name`, 'SECRET');
    access = { guard: rootGuard(disk.root), signal: new AbortController().signal };
    files = new GuardedFileSystem(disk.state, new LinuxLocator());
    neighbour = new ExchangingNeighbour(disk.root, disk.outside);
  });
  afterEach(async () => {
    await neighbour.stop();
    disk.dispose();
  });

  it('gets no byte read, listed, found, written, moved or removed outside, while honest calls succeed', async function () {
    this.timeout((SECONDS + 20) * 1000);
    const walker = new GuardedFileWalker(files);
    const binary = await ripgrepPath();
    if (binary === undefined) throw new Error('The ripgrep package has no binary here.');
    const search = new GuardedContentSearch(files, walker, ripgrepSieve(binary));
    const done = { read: 0, written: 0, walked: 0, changed: 0, searched: 0 };
    const seen: string[] = [];
    const query: ContentQuery = {
      query: 'SECRET|inside',
      literal: false,
      case: 'sensitive',
      include: [],
      exclude: [],
      ignore: false,
      context: 1,
      limit: 100,
    };

    async function reads(): Promise<void> {
      for (const path of ['folder/file', 'deep/folder/file', 'file']) {
        const read = await files.readBytes(`${disk.root}/${path}`, { offset: 0, length: 100 }, access);
        if (!read.success) continue;
        done.read += 1;
        seen.push(Buffer.from(read.value.bytes).toString());
      }
    }
    async function writes(round: number): Promise<void> {
      for (const path of ['folder/new', 'deep/folder/new', 'file']) {
        const mode = round % 3 === 0 ? 'append' : 'overwrite';
        const written = await files.write(`${disk.root}/${path}`, 'inside', { mode }, access);
        if (written.success) done.written += 1;
      }
      const keep = async (bytes: Uint8Array) => {
        seen.push(Buffer.from(bytes).toString());
        return Result.ok(bytes);
      };
      await files.update(`${disk.root}/folder/file`, { maxBytes: 1e6 }, keep, access);
    }
    async function changes(round: number): Promise<void> {
      const made = await files.makeDirectory(`${disk.root}/folder/a/b`, { parents: true }, access);
      await files.copy(
        `${disk.root}/folder/file`,
        `${disk.root}/folder/copy${round % 5}`,
        { overwrite: true },
        access,
      );
      await files.copy(`${disk.root}/folder`, `${disk.root}/copied`, { overwrite: true }, access);
      const moved = await files.move(
        `${disk.root}/folder/new`,
        `${disk.root}/folder/moved`,
        { overwrite: true },
        access,
      );
      await files.remove(`${disk.root}/folder/SECRET-name`, { recursive: false }, access);
      await files.remove(`${disk.root}/folder/a`, { recursive: true }, access);
      if (made.success && moved.success) done.changed += 1;
    }
    async function walks(): Promise<void> {
      const page = await walker.page(disk.root, { ignore: false, times: true }, { limit: 1000 }, access);
      if (!page.success) return;
      done.walked += 1;
      seen.push(...page.value.entries.map((entry) => entry.name));
    }
    async function searches(): Promise<void> {
      const found = await search.search(disk.root, query, access);
      if (!found.success) return;
      done.searched += 1;
      seen.push(...found.value.matches.flatMap((match) => [match.text, ...match.before, ...match.after]));
    }

    const end = Date.now() + SECONDS * 1000;
    for (let round = 0; Date.now() < end; round += 1) {
      await reads();
      await walks();
      if (round % 4 === 0) await writes(round);
      if (round % 16 === 0) await changes(round);
      if (round % 64 === 0) await searches();
      expect(seen.some((text) => text.includes('SECRET'))).to.equal(false);
      seen.length = 0;
    }
    expect(readdirSync(disk.outside).sort()).to.deep.equal(['SECRET-name', 'file']);
    for (const name of ['SECRET-name', 'file']) {
      expect(readFileSync(`${disk.outside}/${name}`, 'utf8')).to.equal('SECRET');
    }
    expect(neighbour.exchanges, 'exchanges').to.be.greaterThan(50);
    for (const [what, count] of Object.entries(done)) expect(count, what).to.be.greaterThan(0);
  });
});
