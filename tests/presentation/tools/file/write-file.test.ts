import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { FileTools } from '../../../support/file-tools.js';

describe('write_file', () => {
  const tools = FileTools.forEachTest();
  const { at, texts, failure } = tools;

  it('S4-09: answers `Written to {path}` with the path as given, content empty by default', async () => {
    expect(await texts('write_file', { path: './new.txt' })).to.deep.equal(['Written to ./new.txt']);
    expect(readFileSync(at('new.txt'), 'utf8')).to.equal('');
    expect((await failure('write_file', {})).message).to.equal('path is required');
  });

  it('S4-09: without content leaves a file that has some as it is, and says how to empty it', async () => {
    const refused = await failure('write_file', { path: 'README.md' });
    expect(refused.type).to.equal('ToolValidationError');
    expect(refused.message).to.match(/content is required here: README\.md has 9 bytes .* content: ""/);
    expect(readFileSync(at('README.md'), 'utf8')).to.equal('# Sample\n');
    await texts('write_file', { path: 'README.md', content: '' });
    expect(readFileSync(at('README.md'), 'utf8')).to.equal('');
    expect(await texts('write_file', { path: 'README.md' })).to.deep.equal(['Written to README.md']);
    expect((await failure('write_file', { path: 'README.md', mode: 'create' })).type).to.equal(
      'AlreadyExistsError',
    );
    await texts('write_file', { path: 'README.md', content: 'x' });
    await texts('write_file', { path: 'README.md', mode: 'append' });
    expect(readFileSync(at('README.md'), 'utf8')).to.equal('x');
  });

  it('S4-09: says how much it replaced or emptied, and nothing of the kind where nothing was lost', async () => {
    const write = (content: string, mode = 'overwrite') =>
      texts('write_file', { path: 'big.txt', content, mode });
    expect(await write('x'.repeat(1_229))).to.deep.equal(['Written to big.txt']);
    expect(await write('y', 'append')).to.deep.equal(['Written to big.txt']);
    expect(await write('zz')).to.deep.equal(['Written to big.txt: replaced 1.2 KiB']);
    expect(await write('')).to.deep.equal(['Written to big.txt: emptied, it had 2 bytes']);
    expect(await write('again')).to.deep.equal(['Written to big.txt']);
  });

  it('S4-09: makes the folders above on demand only', async () => {
    expect((await failure('write_file', { path: 'a/b/c.txt', content: 'x' })).type).to.equal('NotFoundError');
    await texts('write_file', { path: 'a/b/c.txt', content: 'x', create_dirs: true });
    expect(readFileSync(at('a/b/c.txt'), 'utf8')).to.equal('x');
  });

  it('refuses a placeholder of what was redacted, and leaves the file alone', async () => {
    const refused = await failure('write_file', {
      path: 'README.md',
      content: '[castellan-redacted:github]',
    });
    expect(refused.type).to.equal('RedactedTextError');
    expect(readFileSync(at('README.md'), 'utf8')).to.equal('# Sample\n');
  });

  it('makes only what is not there, and adds to the end, when told so', async () => {
    expect((await failure('write_file', { path: 'README.md', content: 'x', mode: 'create' })).type).to.equal(
      'AlreadyExistsError',
    );
    await texts('write_file', { path: 'README.md', content: 'more\n', mode: 'append' });
    expect(readFileSync(at('README.md'), 'utf8')).to.equal('# Sample\nmore\n');
  });
});
