import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { applyEdits, type TextEdit } from '../../../src/domain/file/text-edit.js';

function edited(text: string, ...edits: TextEdit[]): string {
  const result = applyEdits(text, edits);
  return result.success ? result.value.text : `${result.error.kind}: ${result.error.message}`;
}

describe('applyEdits', () => {
  it('replaces exactly, one edit after another', () => {
    expect(edited('a b c', { oldText: 'a', newText: 'x' }, { oldText: 'x b', newText: 'y' })).to.equal('y c');
  });
  it('takes dollar signs in the new text literally', () => {
    expect(edited('price', { oldText: 'price', newText: "$& $1 $$ $'" })).to.equal("$& $1 $$ $'");
  });
  it('fits an edit with plain line feeds into a CRLF file and keeps its endings and its BOM', () => {
    const text = '\uFEFFone\r\ntwo\r\nthree\r\n';
    expect(edited(text, { oldText: 'one\ntwo', newText: '1\n2\n2b' })).to.equal(
      '\uFEFF1\r\n2\r\n2b\r\nthree\r\n',
    );
    expect(edited(text, { oldText: 'two', newText: 'x\ny' })).to.equal('\uFEFFone\r\nx\r\ny\r\nthree\r\n');
    expect(edited('one\ntwo\n', { oldText: 'one\r\ntwo', newText: '1\r\n2' })).to.equal('1\n2\n');
  });
  it('changes all places only when told so, and says how many there are', () => {
    expect(edited('a\nb\na\n', { oldText: 'a', newText: 'x', replaceAll: true })).to.equal('x\nb\nx\n');
    expect(edited('a\nb\na\n', { oldText: 'a', newText: 'x' })).to.match(
      /ambiguous: .*2 times, at lines 1, 3/,
    );
  });
  it('names the nearest text on a miss, with its line and what differs', () => {
    const text = 'import x\n\nfunction total(items) {\n  return items.length;\n}\n';
    const miss = edited(text, { oldText: 'function total(item) {\n  return item.length;', newText: 'y' });
    expect(miss)
      .to.contain('line 3')
      .and.contain('- function total(item) {')
      .and.contain('+ function total(items) {');
  });
  it('says when only white space differs, and when nothing is similar', () => {
    expect(edited('\tif (a) {\n', { oldText: '    if (a) {', newText: 'y' })).to.contain(
      'only in white space',
    );
    expect(edited('abc\n', { oldText: 'zzz qqq', newText: 'y' })).to.contain('nothing in it is similar');
  });
  it('refuses an empty or unchanged edit, and then changes nothing at all', () => {
    expect(edited('a', { oldText: '', newText: 'x' })).to.match(/^empty-old-text/);
    expect(edited('a', { oldText: 'a', newText: 'a' })).to.match(/^unchanged/);
    const result = applyEdits('a b', [
      { oldText: 'a', newText: 'x' },
      { oldText: 'none', newText: 'y' },
    ]);
    expect(result.success ? -1 : result.error.index).to.equal(1);
  });
  it('undoes itself when the new text is unique', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, ending) => {
        const text = ['start', ...lines, 'end'].join(ending);
        const there = edited(text, { oldText: 'start', newText: 'first\nsecond' });
        expect(edited(there, { oldText: 'first\nsecond', newText: 'start' })).to.equal(text);
      }),
    );
  });
  it('finds the nearest place in a large file without comparing everything with everything', () => {
    const text = Array.from(
      { length: 20_000 },
      (_, index) => `const value${index} = compute(${index});`,
    ).join('\n');
    expect(edited(text, { oldText: 'const value17000 = computed(17000);', newText: 'y' })).to.contain(
      'line 17001',
    );
  });
});

describe('edits that multiply a text', () => {
  const grow = { oldText: 'a', newText: 'aaaaaaaa', replaceAll: true };

  it('are refused before the text is built', () => {
    const edits = Array.from({ length: 100 }, () => grow);
    const applied = applyEdits('a'.repeat(60), edits);
    expect(!applied.success && applied.error.kind).to.equal('too-large');
    // 60 × 8⁶ characters fit, 60 × 8⁷ do not.
    expect(!applied.success && applied.error.index).to.equal(6);
    expect(!applied.success && applied.error.message).to.include('would grow to 125829120 characters');
  });

  it('are bounded in how much they work through together', () => {
    const text = `${'x'.repeat(1000)}a`;
    const edits = Array.from({ length: 50 }, (_, at) => ({
      oldText: 'ab'[at % 2] ?? '',
      newText: 'ba'[at % 2] ?? '',
    }));
    const limits = { maxLength: 10_000, maxWork: 30_000 };
    const applied = applyEdits(text, edits, limits);
    expect(!applied.success && applied.error.kind).to.equal('too-much-work');
    expect(applyEdits(text, edits.slice(0, 10), limits).success).to.equal(true);
  });

  it('looks for the nearest text in a bounded number of steps', () => {
    const line = (at: number) =>
      Array.from({ length: 60 }, (_, word) => `w${(at * 7 + word) % 9973}`).join(' ');
    const text = Array.from({ length: 20_000 }, (_, at) => line(at)).join('\n');
    const wanted = Array.from({ length: 40 }, (_, at) => `${line(at + 19_000)} x`).join('\n');
    const applied = applyEdits(text, [{ oldText: wanted, newText: '' }]);
    expect(!applied.success && applied.error.kind).to.equal('no-match');
  });
});
