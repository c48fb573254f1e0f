import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { FileTools } from '../../../support/file-tools.js';

describe('edit_file', () => {
  const tools = FileTools.forEachTest();
  const { at, put, texts, failure } = tools;

  it('a miss names the nearest text, and nothing is written', async () => {
    const edits = [
      { old_text: '// line\n', new_text: 'x', replace_all: true },
      { old_text: 'export const onee = 1', new_text: '' },
    ];
    const miss = await failure('edit_file', { path: 'src/index.ts', edits });
    expect(miss.message).to.match(/Edit 2.*line 1[\s\S]*export const one = 1/);
    expect(readFileSync(at('src/index.ts'), 'utf8')).to.include('// line');
  });

  it('twenty edits of one file at once are all kept', async () => {
    put('list.txt', Array.from({ length: 20 }, (_, index) => `<${index}>\n`).join(''));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        texts('edit_file', {
          path: 'list.txt',
          edits: [{ old_text: `<${index}>`, new_text: `done ${index}` }],
        }),
      ),
    );
    expect(readFileSync(at('list.txt'), 'utf8').match(/done/g)?.length).to.equal(20);
  });

  it('refuses a placeholder of what was redacted, and leaves the file alone', async () => {
    const edits = [{ old_text: '# Sample', new_text: '[castellan-redacted:github]' }];
    expect((await failure('edit_file', { path: 'README.md', edits })).type).to.equal('RedactedTextError');
    expect(readFileSync(at('README.md'), 'utf8')).to.equal('# Sample\n');
  });

  it('keeps the line endings and the byte order mark, and a dry run changes nothing', async () => {
    const windows = '\ufeffone\r\ntwo\r\nthree\r\n';
    put('windows.txt', windows);
    const edits = [{ old_text: 'one\ntwo\n', new_text: 'one\n2\n' }];
    const [diff = ''] = await texts('edit_file', { path: 'windows.txt', edits, dry_run: true });
    expect(diff).to.match(/-two/).and.to.match(/\+2/);
    expect(readFileSync(at('windows.txt'), 'utf8')).to.equal(windows);
    await texts('edit_file', { path: 'windows.txt', edits });
    expect(readFileSync(at('windows.txt'), 'utf8')).to.equal('\ufeffone\r\n2\r\nthree\r\n');
  });
});
