import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { detectLineEnding, sliceLines } from '../../../src/domain/file/text-lines.js';

describe('sliceLines', () => {
  const text = 'one\ntwo\r\nthree\nfour';
  it('skips lines from the start or counts from the end', () => {
    expect(sliceLines(text, 1, 2)).to.deep.equal({
      text: 'two\r\nthree\n',
      firstLine: 2,
      lastLine: 3,
      totalLines: 4,
      more: true,
    });
    expect(sliceLines(text, -2).text).to.equal('three\nfour');
    expect(sliceLines(text, -99).text).to.equal(text);
    expect(sliceLines(text, -3, 1).text).to.equal('two\r\n');
  });
  it('is empty behind the end, and for an empty file', () => {
    expect(sliceLines(text, 4)).to.include({ text: '', firstLine: 0, totalLines: 4, more: false });
    expect(sliceLines('')).to.include({ text: '', totalLines: 0 });
  });
  it('counts no line behind the last line feed', () => {
    expect(sliceLines('a\nb\n').totalLines).to.equal(2);
    expect(sliceLines('a\rb\r').totalLines).to.equal(2);
  });
  it('cuts a text into pages that are the text again', () => {
    const lines = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n') });
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 4 }), (whole, size) => {
        let joined = '';
        for (let offset = 0; ; offset += size) {
          const page = sliceLines(whole, offset, size);
          joined += page.text;
          if (!page.more) break;
        }
        expect(joined).to.equal(whole);
      }),
    );
  });
});

describe('detectLineEnding', () => {
  it('names the ending that most lines have', () => {
    expect(detectLineEnding('a\r\nb\r\nc\n')).to.equal('\r\n');
    expect(detectLineEnding('a\nb\r\nc\n')).to.equal('\n');
    expect(detectLineEnding('a\rb\r')).to.equal('\r');
    expect(detectLineEnding('none')).to.equal('\n');
  });
});
