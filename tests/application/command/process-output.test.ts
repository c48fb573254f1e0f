import { expect } from 'chai';
import { describe, it } from 'mocha';
import { ProcessOutput } from '../../../src/application/command/background/process-output.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** All pages from the beginning, joined. */
function joined(output: ProcessOutput, pageBytes: number): string {
  let [text, cursor] = ['', 0];
  for (;;) {
    const page = output.page(cursor, pageBytes, true);
    if (page.cursor === cursor) return text;
    text += page.text;
    cursor = page.cursor;
  }
}

describe('The output of a process', () => {
  const text = 'é漢🙂 plain\n'.repeat(500);

  it('comes in pages that joined are the whole, wherever chunks and pages are cut', () => {
    for (const [chunk, page] of [
      [1, 4],
      [7, 5],
      [1_000, 13],
      [3, 100_000],
    ] as const) {
      const output = new ProcessOutput(1024 * 1024);
      const all = bytes(text);
      for (let at = 0; at < all.length; at += chunk) output.append(all.subarray(at, at + chunk));
      expect(output.end).to.equal(all.length);
      expect(joined(output, page)).to.equal(text);
    }
  });

  it('keeps the last bytes, and counts those that are gone', () => {
    const output = new ProcessOutput(8_192);
    for (let line = 0; line < 5_000; line += 1) output.append(bytes(`line ${line}\n`));
    const { skipped, text: kept, cursor } = output.page(0, 100_000, true);
    expect(kept).to.match(/line 4998\nline 4999\n$/);
    expect(skipped + kept.length)
      .to.equal(cursor)
      .and.to.equal(output.end);
    expect(output.page(cursor + 10, 100, true)).to.deep.equal({ text: '', cursor, skipped: 0 });
  });

  it('waits for the rest of a character, but not for ever', () => {
    const output = new ProcessOutput(8_192);
    output.append(bytes('a🙂').subarray(0, 3));
    expect(output.page(0, 100, false)).to.include({ text: 'a', cursor: 1 });
    expect(output.page(0, 100, true).cursor).to.equal(3);
  });

  it('finds the beginning of the last lines', () => {
    const output = new ProcessOutput(8_192);
    output.append(bytes('one\ntwo\nthree\n'));
    expect(output.page(output.lastLines(2), 100, true).text).to.equal('two\nthree\n');
    expect(output.page(output.lastLines(9), 100, true).text).to.equal('one\ntwo\nthree\n');
    expect(new ProcessOutput(10).lastLines(3)).to.equal(0);
  });
});
