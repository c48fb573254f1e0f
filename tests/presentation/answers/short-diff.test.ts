import { expect } from 'chai';
import { describe, it } from 'mocha';
import { shortDiff } from '../../../src/presentation/answers/short-diff.js';

const HEAD = '--- a\n+++ a\n';

describe('a diff that a model can afford', () => {
  it('shows a change within a long line with what is around it', () => {
    const line = (word: string) => `${'a'.repeat(5_000)}${word}${'b'.repeat(5_000)}`;
    const { text, note } = shortDiff(`${HEAD}@@ -1,1 +1,1 @@\n-${line('old')}\n+${line('new')}\n`);
    expect(text)
      .to.contain('aaold')
      .and.to.contain('newbb')
      .and.to.match(/\[… 48\d\d characters\]/);
    expect(text.length).to.be.below(1_200);
    expect(note).to.contain('read_file with column shows the rest');
  });

  it('finds the change of a last line without an end', () => {
    const line = (word: string) => `${'a'.repeat(5_000)}${word}${'b'.repeat(5_000)}`;
    const end = '\\ No newline at end of file';
    const { text } = shortDiff(`${HEAD}@@ -1,1 +1,1 @@\n-${line('old')}\n${end}\n+${line('new')}\n${end}\n`);
    expect(text).to.contain('aaold').and.to.contain('newbb');
  });

  it('shows three of very many hunks and says how many there are', () => {
    const hunk = (n: number) => `@@ -${n},1 +${n},1 @@\n-${'x'.repeat(100)}${n}\n+${'y'.repeat(100)}${n}\n`;
    const { text, note } = shortDiff(HEAD + Array.from({ length: 106 }, (_, n) => hunk(n)).join(''));
    expect(text.match(/^@@/gm)).to.have.length(3);
    expect(note).to.equal('3 of 106 hunks are shown; read_file shows the rest in its place.');
  });

  it('leaves a short one as it is', () => {
    const diff = `${HEAD}@@ -1,1 +1,1 @@\n-one\n+two\n`;
    expect(shortDiff(diff)).to.deep.equal({ text: diff });
  });
});
