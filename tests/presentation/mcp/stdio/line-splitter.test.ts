import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type Line, LineSplitter } from '../../../../src/presentation/mcp/stdio/line-splitter.js';

function split(chunks: readonly Buffer[], maxBytes = 1000): readonly string[] {
  const lines: string[] = [];
  const onLine = (line: Line) => lines.push(line.kind === 'line' ? line.text : '!');
  const splitter = new LineSplitter(maxBytes);
  for (const chunk of chunks) {
    // A source reads the next chunk into the memory of the last one.
    const memory = Buffer.from(chunk);
    splitter.push(memory, onLine);
    memory.fill('?');
  }
  splitter.end(onLine);
  return lines;
}

describe('LineSplitter', () => {
  it('finds the same lines however the bytes are cut, even within a character', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\r', ' ') }));
    fc.assert(
      fc.property(texts, fc.array(fc.nat({ max: 20 })), (lines, sizes) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const chunks: Buffer[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        chunks.push(bytes.subarray(at));
        expect(split(chunks)).to.deep.equal(lines.filter((line) => line !== '' && line !== '\r'));
      }),
    );
  });

  it('takes a last line without its newline', () => {
    expect(split([Buffer.from('a\nb')])).to.deep.equal(['a', 'b']);
  });

  it('reports a line over the limit once, whole or in pieces, and goes on with the next', () => {
    const long = 'x'.repeat(30);
    expect(split([Buffer.from(`a\n${long}\nb\n`)], 10)).to.deep.equal(['a', '!', 'b']);
    const pieces = [...`a\n${long}\nb\n`].map((character) => Buffer.from(character));
    expect(split(pieces, 10)).to.deep.equal(['a', '!', 'b']);
    expect(split([Buffer.from(long)], 10)).to.deep.equal(['!']);
  });

  it('takes a line of exactly the limit', () => {
    expect(split([Buffer.from('0123456789\n')], 10)).to.deep.equal(['0123456789']);
    expect(split([Buffer.from('01234'), Buffer.from('56789'), Buffer.from('\n')], 10)).to.deep.equal([
      '0123456789',
    ]);
    expect(split([Buffer.from('0123456789a\n')], 10)).to.deep.equal(['!']);
  });
});
