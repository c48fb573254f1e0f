import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { ContentQuery, SearchAccess } from '../../../../src/application/ports/file/content-search.js';
import { compilePattern } from '../../../../src/domain/permission/path/path-pattern.js';
import { BubblewrapSandbox } from '../../../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { GuardedFileSystem } from '../../../../src/infrastructure/file/guarded-file-system.js';
import { GuardedFileWalker } from '../../../../src/infrastructure/file/guarded-file-walker.js';
import { GuardedContentSearch } from '../../../../src/infrastructure/file/search/guarded-content-search.js';
import {
  type FileSieve,
  noSieve,
  ripgrepPath,
  ripgrepSieve,
  sandboxedSieve,
} from '../../../../src/infrastructure/file/search/ripgrep-search.js';
import { rootGuard } from '../../../contract/safe-file-system.contract.js';
import { TemporaryDisk } from '../../../support/temporary-disk.js';

const QUERY: ContentQuery = {
  query: 'needle',
  literal: false,
  case: 'smart',
  include: [],
  exclude: [],
  ignore: true,
  context: 0,
  limit: 100,
};

function glob(source: string) {
  const compiled = compilePattern(source);
  if (!compiled.success) throw new Error(compiled.error);
  return compiled.value;
}

function suite(name: string, sieveOf: () => Promise<FileSieve>): void {
  describe(`GuardedContentSearch ${name}`, () => {
    let disk: TemporaryDisk;
    let sieve: FileSieve;
    let access: SearchAccess;
    const given: string[] = [];

    before(async () => {
      const real = await sieveOf();
      sieve = (root, paths, query, signal) => {
        given.push(...paths);
        return real(root, paths, query, signal);
      };
    });
    beforeEach(() => {
      disk = new TemporaryDisk();
      given.length = 0;
      access = { guard: rootGuard(disk.root, [`${disk.root}/secret`]), signal: new AbortController().signal };
    });
    afterEach(() => disk.dispose());

    async function search(query: Partial<ContentQuery>, path = disk.root) {
      const files = new GuardedFileSystem(disk.state);
      const found = await new GuardedContentSearch(files, new GuardedFileWalker(files), sieve).search(
        path,
        { ...QUERY, ...query },
        access,
      );
      if (!found.success) throw new Error(found.error.message);
      return found.value;
    }
    const seed = (path: string, content: string | Uint8Array) => disk.file(`${disk.root}/${path}`, content);
    const hits = async (query: Partial<ContentQuery>) =>
      (await search(query)).matches.map(({ path, line, column }) => `${path}:${line}:${column}`);

    it('gives path, line, column, text and the lines around', async () => {
      seed('a.txt', 'zero\r\none\r\nthe needle\r\nthree\r\nfour');
      seed('b/-x.txt', 'needle');
      const { matches } = await search({ context: 1 });
      expect(matches).to.deep.equal([
        { path: 'a.txt', line: 3, column: 5, text: 'the needle', before: ['one'], after: ['three'] },
        { path: 'b/-x.txt', line: 1, column: 1, text: 'needle', before: [], after: [] },
      ]);
    });
    it('knows expressions, literals, and smart, sensitive and insensitive case', async () => {
      seed('a', 'Needle\nneedle\nn.edle\n');
      expect(await hits({})).to.deep.equal(['a:1:1', 'a:2:1']);
      expect(await hits({ query: 'Needle' })).to.deep.equal(['a:1:1']);
      expect(await hits({ case: 'sensitive' })).to.deep.equal(['a:2:1']);
      expect(await hits({ query: 'N.EDLE', case: 'insensitive', literal: true })).to.deep.equal(['a:3:1']);
      expect(await hits({ query: '^n.*e$', case: 'sensitive' })).to.deep.equal(['a:2:1', 'a:3:1']);
    });
    it('never hands denied files on, and shows nothing of them', async () => {
      seed('secret/key', 'needle');
      seed('open', 'needle');
      disk.link(`${disk.root}/link`, 'secret/key');
      expect(await hits({})).to.deep.equal(['open:1:1']);
      expect(given).to.deep.equal(['open']);
    });
    it('keeps to include, exclude and .gitignore', async () => {
      for (const path of ['a.ts', 'b.js', 'x/a.ts', 'gen/a.ts']) seed(path, 'needle');
      seed('.gitignore', 'gen/');
      expect(await hits({ include: [glob('*.ts')] })).to.deep.equal(['a.ts:1:1', 'x/a.ts:1:1']);
      expect(await hits({ include: [glob('*.ts')], ignore: false, exclude: [glob('x')] })).to.deep.equal([
        'a.ts:1:1',
        'gen/a.ts:1:1',
      ]);
    });
    it('reads UTF-16 with its mark, and leaves binaries out', async () => {
      seed('utf16', Buffer.from('\uFEFFa\nneedle\n', 'utf16le'));
      seed('binary', Buffer.from([0x6e, 0, 0, ...Buffer.from('\nneedle\n')]));
      expect(await hits({})).to.deep.equal(['utf16:2:1']);
    });
    it('pages with a cursor, also within one file', async () => {
      for (const name of ['a', 'b', 'c']) seed(name, 'needle\n'.repeat(5));
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const next = await search({ limit: 4, ...(cursor !== undefined && { cursor }) });
        seen.push(...next.matches.map((match) => `${match.path}${match.line}`));
        cursor = next.cursor;
      } while (cursor !== undefined);
      expect(seen.length).to.equal(15);
      expect(new Set(seen).size).to.equal(15);
    });
    it('searches in one file when it is given one', async () => {
      seed('a/b.txt', 'x\nneedle');
      const { matches } = await search({}, `${disk.root}/a/b.txt`);
      expect(matches.map((match) => `${match.path}:${match.line}`)).to.deep.equal(['b.txt:2']);
    });
    it('cuts monstrous lines around the match', async () => {
      seed('min.js', `${'x'.repeat(3_000_000)}needle${'y'.repeat(100_000)}\nneedle`);
      const { matches } = await search({});
      expect(matches.map(({ line, column }) => [line, column])).to.deep.equal([
        [1, 3_000_001],
        [2, 1],
      ]);
      expect(matches[0]?.text).to.contain('needle').and.have.length.lessThan(1100);
    });
    it('ends at once on an expression that other engines never finish', async () => {
      seed('a', `${'a'.repeat(5000)}!\n`.repeat(20));
      expect(await hits({ query: '(a+)+$' })).to.deep.equal([]);
    });
    it('explains an expression that is none', async () => {
      const files = new GuardedFileSystem(disk.state);
      const search = new GuardedContentSearch(files, new GuardedFileWalker(files), sieve);
      const found = await search.search(disk.root, { ...QUERY, query: '(' }, access);
      expect(found.success ? '' : found.error.message).to.contain('literal');
    });
  });
}

async function binary(): Promise<string> {
  const found = await ripgrepPath();
  if (found === undefined) throw new Error('The ripgrep package has no binary here.');
  return found;
}

const ground = new TemporaryDisk();
const sandbox = new BubblewrapSandbox({
  searchPath: process.env.PATH ?? '',
  realHome: ground.outside,
  stateFolder: `${ground.state}/sandbox`,
});
const contained = { sandbox, home: `${ground.state}/search` };

suite('with ripgrep in its sandbox', async () => sandboxedSieve(await binary(), contained));
suite('with ripgrep where there is no sandbox', async () => ripgrepSieve(await binary()));
suite('without ripgrep', async () => noSieve);

describe('sandboxedSieve', () => {
  const never = new AbortController().signal;
  let disk: TemporaryDisk;
  beforeEach(() => {
    disk = new TemporaryDisk();
  });
  afterEach(() => disk.dispose());
  after(async () => {
    await sandbox.close();
    ground.dispose();
  });

  it('cannot be led out of the folder by a link that was put in the place of a file', async () => {
    disk.file(`${disk.outside}/secret`, 'needle');
    disk.file(`${disk.root}/a`, 'needle');
    disk.link(`${disk.root}/b`, `${disk.outside}/secret`);
    const sieve = sandboxedSieve(await binary(), contained);
    const kept = await sieve(disk.root, ['a', 'b'], QUERY, never);
    expect(kept === 'all' ? kept : [...kept]).to.deep.equal(['a']);
  });

  it('takes names with spaces, quotes, line feeds and a dash in front as they are', async () => {
    const names = ['a b', "it's", 'line\nfeed', '-x', '$(id)'];
    for (const name of names) disk.file(`${disk.root}/${name}`, 'needle');
    const sieve = sandboxedSieve(await binary(), contained);
    const kept = await sieve(disk.root, names, QUERY, never);
    expect(kept === 'all' ? kept : [...kept].sort()).to.deep.equal(names.sort());
  });

  it('ends when the call does', async () => {
    disk.file(`${disk.root}/a`, 'needle');
    const sieve = sandboxedSieve(await binary(), contained);
    expect(await sieve(disk.root, ['a'], QUERY, AbortSignal.abort())).to.deep.equal(new Set());
    const kept = await sieve(disk.root, ['a'], QUERY, AbortSignal.timeout(1));
    expect(kept).to.deep.equal(new Set());
  });
});
