import { expect } from 'chai';
import { describe, it } from 'mocha';
import { columns, StreamOutput, table } from '../../../src/presentation/cli/output.js';
import { MemoryOutput } from '../../support/memory-output.js';

const ESCAPE = String.fromCharCode(27);

function streams(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, write: (text: string) => written.push(text) } };
}

describe('columns', () => {
  it('makes each column as wide as its widest cell, without trailing blanks', () => {
    expect(
      columns([
        ['a', 'bb', 'c'],
        ['aaa', 'b', ''],
      ]),
    ).to.equal('a    bb  c\naaa  b');
    expect(columns([])).to.equal('');
    expect(table(['A', 'B'], [['aa', 'b']], new MemoryOutput())).to.equal('A   B\naa  b');
  });
});

describe('what commands print', () => {
  it('keeps progress on one line of the terminal, so that all of it can be wiped', () => {
    const { written, stream } = streams(true);
    new StreamOutput(stream, { ...stream, columns: 10 }, {}).progress('Checking this and that');
    expect(written).to.deep.equal([`\r${ESCAPE}[KChecking…`]);
  });

  it('leaves raw text as it is, but for the end of the last line on a terminal', () => {
    for (const [isTTY, wanted] of [
      [true, ['a\n', 'b\n']],
      [false, ['a', 'b\n']],
    ] as const) {
      const { written, stream } = streams(isTTY);
      const output = new StreamOutput(stream, stream, {});
      output.raw('a');
      output.raw('b\n');
      expect(written).to.deep.equal(wanted);
    }
  });

  it('has colours on a terminal, and none with NO_COLOR, on a dumb terminal or in a pipe', () => {
    const cases: readonly [boolean, Record<string, string>, boolean][] = [
      [true, {}, true],
      [true, { NO_COLOR: '' }, true],
      [true, { NO_COLOR: '1' }, false],
      [true, { TERM: 'dumb' }, false],
      [false, { FORCE_COLOR: '1' }, false],
    ];
    for (const [isTTY, environment, coloured] of cases) {
      const { written, stream } = streams(isTTY);
      const output = new StreamOutput(stream, stream, environment);
      output.err('wrong');
      output.note('by the way');
      output.out(output.paint('green', 'good'));
      expect(written.join('').includes(ESCAPE), JSON.stringify({ isTTY, environment })).to.equal(coloured);
      expect(written.join('')).to.contain('wrong').and.contain('by the way').and.contain('good');
      expect(output.forPeople).to.equal(isTTY);
    }
  });

  it('shows progress on a terminal alone, and wipes it before the next line', () => {
    const piped = streams(false);
    new StreamOutput(piped.stream, piped.stream, {}).progress('working');
    expect(piped.written).to.deep.equal([]);
    const terminal = streams(true);
    const output = new StreamOutput(terminal.stream, terminal.stream, { NO_COLOR: '1' });
    output.progress('working');
    output.out('done');
    output.out('more');
    const wipe = `\r${ESCAPE}[K`;
    expect(terminal.written).to.deep.equal([`${wipe}working`, wipe, 'done\n', 'more\n']);
  });
});
