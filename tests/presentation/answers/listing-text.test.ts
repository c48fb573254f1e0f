import { expect } from 'chai';
import { describe, it } from 'mocha';
import { showListing } from '../../../src/presentation/answers/listing-text.js';

type Kind = 'file' | 'directory' | 'symlink' | 'special';

const entry = (path: string, type: Kind = 'file', size: number | null = type === 'file' ? 12 : null) => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  path,
  type,
  size,
  modified: null,
});

const shown = (entries: readonly object[], args: Readonly<Record<string, unknown>> = {}): string =>
  showListing(entries, args).texts.join('\n');

describe('a listing as text', () => {
  it('has one line an entry, whose end says what it is', () => {
    const entries = [
      entry('src', 'directory'),
      entry('a b 7'),
      entry('link', 'symlink'),
      entry('fifo', 'special'),
    ];
    expect(shown(entries)).to.equal('src/\na b 7 12\nlink@\nfifo (special)');
  });

  it('leaves out the folder that was asked for', () => {
    expect(shown([entry('src/app/a.ts'), entry('src/app/b.ts')])).to.equal('a.ts 12\nb.ts 12');
  });

  it('is a tree by indentation when it has several levels', () => {
    const entries = [
      entry('src/a.ts'),
      entry('src/lib', 'directory'),
      entry('src/lib/b.ts'),
      entry('src/z.ts'),
    ];
    expect(shown(entries, { recursive: true })).to.equal('a.ts 12\nlib/\n b.ts 12\nz.ts 12');
  });

  it('names the folders above matches and above a page that begins below them', () => {
    const entries = [entry('src/lib/b.ts'), entry('src/lib/c.ts'), entry('src/web/d.ts')];
    const tree = 'src/\n lib/\n  b.ts 12\n  c.ts 12\n web/\n  d.ts 12';
    expect(shown(entries, { recursive: true, pattern: '*.ts' })).to.equal(tree);
    expect(shown(entries, { recursive: true, cursor: 'x' })).to.equal(tree);
  });

  it('keeps a name on its line, and a folder whose name had to be escaped is named once', () => {
    const entries = [entry('a\nb', 'directory'), entry('a\nb/c.ts')];
    expect(shown(entries, { recursive: true })).to.equal('a\\nb/\n c.ts 12');
  });

  it('says so when there is nothing', () => {
    expect(showListing([], {})).to.deep.equal({ texts: [], notes: ['Nothing found.'] });
  });
});
