import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { FileTools } from '../../support/file-tools.js';

describe('calls as agents guess them', () => {
  const tools = FileTools.forEachTest();
  const { at, put, failure, texts } = tools;

  const hints = async (tool: string, args: object): Promise<string> => {
    const outcome = await tools.castellan.execute(tool, { ...args });
    if (outcome.success || outcome.error.kind !== 'invalid-input') throw new Error('It was not refused.');
    return outcome.error.problems.map(({ hint }) => hint).join(' ');
  };

  it('are refused with the argument that is meant', async () => {
    expect(await hints('read_file', { file_path: 'a.txt' })).to.contain('Did you mean path?');
    expect(await hints('edit_file', { path: 'a.txt', edits: [{ old_string: 'a', new_string: 'b' }] }))
      .to.contain('Did you mean old_text?')
      .and.to.contain('Did you mean new_text?');
    expect(await hints('search_content', { pattern: 'x' })).to.contain('Did you mean query?');
    expect(await hints('read_file', { path: 'a.txt', tail: 5 })).to.contain('Did you mean offset?');
  });

  it('edit with one pair of texts instead of a list', async () => {
    put('a.txt', 'one two one\n');
    await texts('edit_file', { path: 'a.txt', old_text: 'two', new_text: 'three' });
    await texts('edit_file', { path: 'a.txt', old_text: 'one', new_text: 'ONE', replace_all: true });
    expect(readFileSync(at('a.txt'), 'utf8')).to.equal('ONE three ONE\n');
  });

  it('are refused where it is unclear what to edit, and nothing is written', async () => {
    put('a.txt', 'one\n');
    for (const args of [
      {},
      { old_text: 'one' },
      { new_text: 'two' },
      { old_text: 'one', new_text: 'two', edits: [{ old_text: 'one', new_text: 'x' }] },
    ])
      expect((await failure('edit_file', { path: 'a.txt', ...args })).type).to.equal('ToolValidationError');
    expect(readFileSync(at('a.txt'), 'utf8')).to.equal('one\n');
  });

  it('learn of create_dirs where a folder is missing', async () => {
    const outcome = await tools.castellan.execute('write_file', { path: 'x/y/z.txt', content: 'a' });
    expect(outcome.success).to.equal(false);
    expect(outcome.instruction).to.contain('create_dirs: true');
    expect((await failure('write_file', { path: 'x/y/z.txt', content: 'a' })).type).to.equal('NotFoundError');
  });

  it('hear of our tool when they name one of another server', async () => {
    expect((await failure('read_text_file', { path: 'a' })).message).to.contain('Did you mean read_file?');
    expect((await failure('Bash', { command: 'ls' })).message).to.contain('Unknown tool: Bash.');
  });
});
