import { expect } from 'chai';
import { describe, it } from 'mocha';
import { showCommand } from '../../../src/presentation/answers/command-text.js';

const QUICK = {
  exit_code: 0,
  stdout: '',
  stderr: '',
  duration_ms: 12,
  truncated: false,
  sandbox: 'bubblewrap',
};

const REST =
  'The middle of the output was cut: use save_output and read that file in parts, or filter it with grep, head or tail.';

describe('what a command printed, as text', () => {
  it('S4-12: is its output without colours and repaints, and nothing else where all went well', () => {
    expect(showCommand({ ...QUICK, stdout: 'a\u001b[31mb\u001b[0m\n 10 %\r 20 %\r\nc\r\n' })).to.deep.equal({
      texts: ['ab\n 20 %\nc\n'],
      keep: 'ends',
      rest: REST,
      notes: [],
    });
    expect(showCommand({ ...QUICK, stderr: 'Switched to main\n' })).to.deep.equal({
      texts: ['Switched to main\n'],
      keep: 'ends',
      rest: REST,
      notes: [],
    });
  });

  it('S4-12: keeps every line of a file that ends them with a carriage return', () => {
    const shown = (stdout: string) => showCommand({ ...QUICK, stdout }).texts[0];
    expect(shown('first\r\r\rthird\rthird\r')).to.equal('first\n\n\nthird\nthird');
    expect(shown('item 1\ritem 2\r1,2\r3,4')).to.equal('item 1\nitem 2\n1,2\n3,4');
    expect(shown('alice,5%\rbob,6%\n')).to.equal('alice,5%\nbob,6%\n');
  });

  it('S4-12: takes a line that is painted over for one', () => {
    const shown = (stdout: string) => showCommand({ ...QUICK, stdout }).texts[0];
    expect(shown('Counting: 1% (1/9)\rCounting: 99% (9/9), done.\n')).to.equal(
      'Counting: 99% (9/9), done.\n',
    );
    expect(shown('wait\r    \rready\n')).to.equal('ready\n');
    expect(shown('one\r\u001b[Ktwo\n')).to.equal('two\n');
    expect(shown('-\b\\\b|\bok\n')).to.equal('ok\n');
  });

  it('S4-12: says how long a line is that is too long to show', () => {
    const { texts } = showCommand({ ...QUICK, stdout: `${'x'.repeat(5_000)}\nend\n` });
    expect(texts[0]).to.equal(`${'x'.repeat(2_000)}[… 3000 characters more]\nend\n`);
    expect(showCommand({ ...QUICK, stdout: 'x'.repeat(5_000), output_id: 'p_1' }).notes?.[0]).to.match(
      /^Lines of more than 2,000 characters were cut: .*process_output \{"process_id":"p_1","cursor":0\}/,
    );
  });

  it('has standard error in a block of its own, and says which one it is', () => {
    expect(showCommand({ ...QUICK, stdout: 'out', stderr: 'err' })).to.deep.equal({
      texts: ['out', 'err'],
      keep: 'ends',
      rest: REST,
      notes: ['second block: stderr'],
    });
  });

  it('comes with the exit code and the time only where they matter', () => {
    expect(showCommand({ ...QUICK, exit_code: 2, stdout: 'x' }).notes).to.deep.equal(['exit code 2']);
    expect(showCommand({ ...QUICK, stdout: 'x', duration_ms: 1500 }).notes).to.deep.equal(['1.5 s']);
    expect(showCommand(QUICK)).to.deep.equal({
      texts: [],
      keep: 'ends',
      rest: REST,
      notes: ['exit code 0, no output'],
    });
  });

  it('shows what it does not know', () => {
    expect(showCommand({ ...QUICK, stdout: 'x', weight: 3 }).notes).to.deep.equal(['weight: 3']);
  });

  it('names the process of a command that runs on', () => {
    const { notes } = showCommand({ ...QUICK, stdout: 'x', process_id: 'p1' });
    expect(notes).to.deep.equal(['running as p1, cursor 0']);
  });
});
