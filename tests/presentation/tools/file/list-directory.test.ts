import { expect } from 'chai';
import { describe, it } from 'mocha';
import { FileTools } from '../../../support/file-tools.js';

describe('list_directory', () => {
  const tools = FileTools.forEachTest();
  const { put, failure, envelope, pages } = tools;

  it('S4-10: lists "." by default, entries with name, path, type and size or null', async () => {
    const { value } = await envelope('list_directory');
    expect(value).to.be.an('array').with.length(2);
    const [readme, src] = value as readonly Record<string, unknown>[];
    expect(readme).to.include({ name: 'README.md', path: 'README.md', type: 'file', size: 9 });
    expect(src).to.include({ name: 'src', type: 'directory', size: null });
  });

  it('S4-10: what is no folder is `Not a directory: {path}`, and recursion is off by default', async () => {
    expect((await failure('list_directory', { path: './README.md' })).message).to.equal(
      'Not a directory: ./README.md',
    );
    expect(JSON.stringify((await envelope('list_directory')).value)).not.to.include('index.ts');
    expect(JSON.stringify((await envelope('list_directory', { recursive: true })).value)).to.include(
      'src/index.ts',
    );
  });

  for (const path of ['missing', 'missing/below', 'README.md/below', 'README.md/below/deeper']) {
    it(`S4-10: ${path}, which does not exist, is not called "Not a directory"`, async () => {
      for (const tool of ['list_directory', 'search_files']) {
        const { message } = await failure(tool, { path });
        expect(message, tool)
          .to.match(/^No such file or directory: /)
          .and.to.contain(path);
      }
    });
  }

  it('pages that are cut by their size lose nothing and repeat nothing', async () => {
    for (let index = 0; index < 1500; index += 1) put(`many/${index}-${'n'.repeat(200)}`, '');
    const listed = await pages('list_directory', { path: 'many', limit: 10_000 });
    expect(new Set(listed.map((entry) => JSON.stringify(entry))).size).to.equal(1500);
    expect(listed.length).to.equal(1500);
  });

  it('goes as deep as it is told, and leaves out what .gitignore names when recursive', async () => {
    put('a/b/c/d.txt', '');
    put('.gitignore', 'node_modules\n');
    put('node_modules/x/index.js', '');
    const paths = async (args: object) => {
      const { value } = await envelope('list_directory', { recursive: true, ...args });
      return (value as readonly { readonly path: string }[]).map(({ path }) => path);
    };
    expect(await paths({ path: 'a', max_depth: 2 })).to.deep.equal(['a/b', 'a/b/c']);
    expect((await paths({})).some((path) => path.startsWith('node_modules'))).to.equal(false);
    expect(await paths({ ignore: false })).to.include('node_modules/x/index.js');
  });
});
