import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  showFacts,
  showFiles,
  showMade,
  showPaths,
  showRemoved,
  showTransfer,
} from '../../../src/presentation/answers/file-texts.js';

describe('facts about files as text', () => {
  it('are key: value lines of what is known', () => {
    const facts = { path: 'a', size: 3, modified: '2026-01-02T03:04:05.678Z', links: 1, mime: null };
    expect(showFacts(facts).texts).to.deep.equal(['path: a\nsize: 3\nmodified: 2026-01-02T03:04:05Z']);
  });

  it('are a path a line', () => {
    expect(showPaths(['a', 'b\nc']).texts).to.deep.equal(['a\nb\\nc']);
    expect(showPaths([]).notes).to.deep.equal(['Nothing found.']);
  });

  it('are a block a file, whose first line is its path', () => {
    const entries = [
      { path: 'a.ts', success: true, content: 'one\nb.ts:\n', next_offset: 7 },
      { path: 'b.ts', success: false, error: 'There is none.', error_type: 'NotFoundError' },
    ];
    expect(showFiles(entries)).to.deep.equal({
      texts: ['a.ts:\none\nb.ts:\n', 'b.ts: NotFoundError: There is none.'],
      notes: ['a.ts continues: read_file with offset 7.'],
    });
  });

  it('say what was done, and how much where it was more than one', () => {
    expect(showMade({ path: 'a', created: 1 }).texts).to.deep.equal(['Created a']);
    expect(showMade({ path: 'a', created: 0 }).texts).to.deep.equal(['a was there already.']);
    expect(showRemoved({ path: 'a', files: 1, directories: 0 }).texts).to.deep.equal(['Deleted a']);
    expect(
      showTransfer('Moved')({ source: 'a', destination: 'b', files: 2, directories: 1 }, {}).texts,
    ).to.deep.equal(['Moved a to b (files: 2, folders: 1)']);
  });
});
