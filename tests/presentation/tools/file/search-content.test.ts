import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CAP, FileTools } from '../../../support/file-tools.js';

describe('search_content', () => {
  const tools = FileTools.forEachTest();
  const { put, failure, envelope, pages } = tools;

  it('answers with path, line, column and text, and the lines around on demand', async () => {
    put('a.txt', 'one\ntwo needle\nthree\n');
    const { value } = await envelope('search_content', { query: 'needle', context: 1 });
    expect(value).to.deep.equal([
      { path: 'a.txt', line: 2, column: 5, text: 'two needle', before: ['one'], after: ['three'] },
    ]);
  });

  it('pages that are cut by their size lose nothing and repeat nothing', async () => {
    for (let index = 0; index < 400; index += 1)
      put(`many/${index}-${'n'.repeat(200)}`, 'needle\n'.repeat(5));
    const found = await pages('search_content', { path: 'many', query: 'needle', limit: 1000 });
    expect(new Set(found.map((match) => JSON.stringify(match))).size).to.equal(2000);
    expect(found.length).to.equal(2000);
    expect(JSON.stringify(found).length).to.be.above(2 * CAP);
  });

  it('takes an expression that would hang another engine, and refuses one that is none', async () => {
    put('a.txt', `${'a'.repeat(30_000)}!\n`);
    expect((await envelope('search_content', { query: '(a+)+$' })).value).to.deep.equal([]);
    expect((await failure('search_content', { query: '(' })).type).to.equal('InvalidQueryError');
  });
});
