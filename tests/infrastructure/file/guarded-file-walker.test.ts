import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FileQuery } from '../../../src/application/ports/file/file-walker.js';
import type { FileAccess } from '../../../src/application/ports/file/safe-file-system.js';
import { compilePattern, type PathPattern } from '../../../src/domain/permission/path/path-pattern.js';
import { GuardedFileSystem } from '../../../src/infrastructure/file/guarded-file-system.js';
import { GuardedFileWalker } from '../../../src/infrastructure/file/guarded-file-walker.js';
import { rootGuard } from '../../contract/safe-file-system.contract.js';
import { TemporaryDisk } from '../../support/temporary-disk.js';

function glob(source: string): PathPattern {
  const compiled = compilePattern(source);
  if (!compiled.success) throw new Error(compiled.error);
  return compiled.value;
}

describe('GuardedFileWalker', () => {
  let disk: TemporaryDisk;
  let walker: GuardedFileWalker;
  let access: FileAccess;

  beforeEach(() => {
    disk = new TemporaryDisk();
    walker = new GuardedFileWalker(new GuardedFileSystem(disk.state));
    access = { guard: rootGuard(disk.root), signal: new AbortController().signal };
  });
  afterEach(() => disk.dispose());

  async function page(query: FileQuery, limit = 1000, cursor?: string) {
    const found = await walker.page(
      disk.root,
      query,
      { limit, ...(cursor !== undefined && { cursor }) },
      access,
    );
    if (!found.success) throw new Error(found.error.message);
    return found.value;
  }
  const paths = async (query: FileQuery) => (await page(query)).entries.map((entry) => entry.path);
  const seed = (...names: string[]) => {
    for (const name of names) disk.file(`${disk.root}/${name}`, name);
  };

  it('S4-11: matches names at any depth, or paths where the pattern has a slash', async () => {
    seed('a.ts', 'src/b.ts', 'src/c.js', 'src/deep/d.ts', '.hidden.ts');
    expect(await paths({ pattern: glob('*.ts'), ignore: false })).to.deep.equal([
      '.hidden.ts',
      'a.ts',
      'src/b.ts',
      'src/deep/d.ts',
    ]);
    expect(await paths({ pattern: glob('src/*.ts'), ignore: false })).to.deep.equal(['src/b.ts']);
  });

  it('leaves out what nested .gitignore files name, and .git, when told to ignore', async () => {
    seed(
      '.git/config',
      'node_modules/x/y.js',
      'src/a.log',
      'src/keep.log',
      'src/sub/b.log',
      'out/z',
      'src/out/z',
    );
    disk.file(`${disk.root}/.gitignore`, 'node_modules/\n*.log\n/out\n');
    disk.file(`${disk.root}/src/.gitignore`, '!keep.log\n');
    expect(await paths({ ignore: true })).to.deep.equal([
      '.gitignore',
      'src',
      'src/.gitignore',
      'src/keep.log',
      'src/out',
      'src/out/z',
      'src/sub',
    ]);
    expect(await paths({ ignore: false, pattern: glob('*.js') })).to.deep.equal(['node_modules/x/y.js']);
  });

  it('leaves out excluded folders with all that is below', async () => {
    seed('a/x', 'b/x', 'c/b/x');
    expect(await paths({ ignore: false, exclude: [glob('b')] })).to.deep.equal(['a', 'a/x', 'c']);
  });

  it('gives every entry once, page by page, while the tree changes', async () => {
    const names = Array.from(
      { length: 50 },
      (_, index) => `d${index % 5}/f${String(index).padStart(2, '0')}`,
    );
    seed(...names);
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let round = 0; ; round += 1) {
      const next = await page({ ignore: false, pattern: glob('f*') }, 7, cursor);
      seen.push(...next.entries.map((entry) => entry.path));
      cursor = next.cursor;
      if (cursor === undefined) break;
      // The entry that the cursor names disappears, and one appears where the walk has been.
      const last = seen.at(-1) ?? '';
      const { rmSync } = await import('node:fs');
      rmSync(`${disk.root}/${last}`);
      seed(`d0/e${round}`);
    }
    expect(seen).to.deep.equal([...names].sort());
  });

  it('refuses a cursor that is none, and says what to give', async () => {
    const found = await walker.page(disk.root, { ignore: false }, { limit: 1, cursor: 'nonsense' }, access);
    expect(found.success ? '' : found.error.message).to.contain('next_cursor');
  });

  it('answers a cancelled call as cancelled', async () => {
    seed('a', 'b');
    const controller = new AbortController();
    const cancelled = walker.page(
      disk.root,
      { ignore: false },
      { limit: 10 },
      { ...access, signal: controller.signal },
    );
    controller.abort();
    const found = await cancelled;
    expect(found.success ? '' : found.error.kind).to.equal('cancelled');
  });
});
