import { expect } from 'chai';
import { describe, it } from 'mocha';
import { terminalSink } from '../../../src/infrastructure/observability/terminal-sink.js';

const ESCAPE = String.fromCharCode(27);

function lines(withStacks: boolean, colour = false) {
  const written: string[] = [];
  const write = (line: string) => written.push(line);
  return { written, sink: terminalSink({ colour, withStacks: () => withStacks, write }) };
}

describe('the log on a terminal', () => {
  it('is a sentence a line, without JSON around it', () => {
    const { written, sink } = lines(false);
    sink('warn', 'p.yaml was found here');
    sink('info', 'reloaded', { origin: ['p.yaml'] });
    expect(written).to.deep.equal([
      'warning: p.yaml was found here\n',
      'info: reloaded {"origin":["p.yaml"]}\n',
    ]);
  });

  it('shows where a fault is only to those who look for it', () => {
    const error = new Error('broke');
    const quiet = lines(false);
    quiet.sink('error', 'It failed', { error });
    expect(quiet.written.join('')).to.equal('error: It failed (broke)\n');
    const debug = lines(true);
    debug.sink('error', 'It failed', { error });
    expect(debug.written.join('')).to.contain('terminal-sink.test');
  });

  it('lets no message steer the terminal', () => {
    const { written, sink } = lines(false);
    sink('warn', `a${ESCAPE}[2Jb\nc`);
    expect(written).to.deep.equal(['warning: a\\u001b[2Jb\nc\n']);
  });

  it('colours its first word where it may', () => {
    const { written, sink } = lines(false, true);
    sink('error', 'x');
    expect(written.join('')).to.contain(`${ESCAPE}[31merror:`);
  });
});
