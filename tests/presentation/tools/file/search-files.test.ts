import { expect } from 'chai';
import { describe, it } from 'mocha';
import { FileTools } from '../../../support/file-tools.js';

describe('search_files', () => {
  const tools = FileTools.forEachTest();
  const { put, failure, envelope } = tools;

  it('S4-11: searches "." for "*" by default, at any depth, and the value is an array of paths', async () => {
    expect((await envelope('search_files')).value).to.deep.equal(['README.md', 'src', 'src/index.ts']);
    expect((await envelope('search_files', { pattern: '*.ts' })).value).to.deep.equal(['src/index.ts']);
  });

  it('finds a path of several names at any depth, and from the folder with ./', async () => {
    for (const path of ['a/b.ts', 'x/y/a/b.ts', 'x/a/c/b.ts', 'x/aa/b.ts']) put(path, '');
    const found = async (pattern: string, path = '.') =>
      (await envelope('search_files', { pattern, path })).value;
    expect(await found('a/b.ts')).to.deep.equal(['a/b.ts', 'x/y/a/b.ts']);
    expect(await found('./a/b.ts')).to.deep.equal(['a/b.ts']);
    expect(await found('y/*/b.ts', 'x')).to.deep.equal(['x/y/a/b.ts']);
    expect(await found('{a/b,a/c/b}.ts')).to.deep.equal(['a/b.ts', 'x/a/c/b.ts', 'x/y/a/b.ts']);
  });

  it('a cursor survives changes of the tree, and a false one is refused', async () => {
    for (const name of ['a', 'b', 'd']) put(`t/${name}`, '');
    const first = await envelope('search_files', { path: 't', limit: 2 });
    expect(first.value).to.deep.equal(['t/a', 't/b']);
    expect(first.page?.truncated).to.equal(true);
    put('t/c', '');
    const rest = await envelope('search_files', { path: 't', cursor: first.page?.next_cursor });
    expect(rest.value).to.deep.equal(['t/c', 't/d']);
    expect((await failure('search_files', { cursor: 'made up' })).message).to.match(/next_cursor/);
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    const cancelled = await tools.castellan.execute('search_files', {}, { signal: controller.signal });
    expect(cancelled.success ? '' : cancelled.errorType).to.equal('CancelledError');
  });
});
