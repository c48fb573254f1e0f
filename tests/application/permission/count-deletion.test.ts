import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CountDeletion } from '../../../src/application/permission/count-deletion.js';
import { InMemoryFileSystem } from '../../support/memory-files/in-memory-file-system.js';

const { signal } = new AbortController();

function counting(files: Readonly<Record<string, string | { readonly link: string } | 'directory-only'>>) {
  const disk = new InMemoryFileSystem();
  for (const [path, node] of Object.entries(files)) disk.seed(path, node);
  const count = new CountDeletion(disk, { root: '/w' });
  return (...paths: readonly string[]) => count.describe(paths, signal);
}

describe('What a deletion would take', () => {
  it('is nothing to speak of where nothing is there', async () => {
    expect(await counting({ '/w/a': 'x' })('/w/b', '/w/c')).to.equal(undefined);
  });

  it('is counted in files and bytes, folders left out, links as nothing', async () => {
    const describe = counting({
      '/w/d/a': 'xyz',
      '/w/d/e/b': 'xy',
      '/w/d/empty': 'directory-only',
      '/w/d/l': { link: 'a' },
    });
    expect(await describe('/w/d')).to.equal('This would delete 3 files (5 bytes) for good: d.');
  });

  it('may be one file, and names what is there beside what is not', async () => {
    const describe = counting({ '/w/a': 'xyz', '/w/l': { link: 'a' } });
    expect(await describe('/w/gone', '/w/a')).to.equal(
      'This would delete 1 file (3 bytes) for good: gone, a.',
    );
    expect(await describe('/w/l')).to.contain('1 file (0 bytes)');
  });

  it('names the workspace as a whole, and at most five paths', async () => {
    const names = ['1', '2', '3', '4', '5', '6', '7'];
    const describe = counting(Object.fromEntries(names.map((name) => [`/w/${name}`, 'x'])));
    expect(await describe('/w')).to.match(/7 files \(7 bytes\) for good: the whole workspace\.$/);
    expect(await describe(...names.map((name) => `/w/${name}`))).to.match(/: 1, 2, 3, 4, 5 and 2 more\.$/);
    expect(await describe(...names.slice(0, 5).map((name) => `/w/${name}`))).to.match(/: 1, 2, 3, 4, 5\.$/);
  });

  it('is not counted beyond ten thousand files', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => [`/w/d/${index}`, 'x'] as const);
    expect(await counting(Object.fromEntries(many))('/w/d')).to.match(
      /^This would delete more than 10,000 files \(more than [\d.,]+ ?\w+\) for good/,
    );
    expect(await counting(Object.fromEntries(many.slice(1)))('/w/d')).to.match(/delete 10,000 files/);
  });
});
