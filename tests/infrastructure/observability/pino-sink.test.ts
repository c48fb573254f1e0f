import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { LogLevel } from '../../../src/application/ports/system/logger.js';
import { pinoSink } from '../../../src/infrastructure/observability/pino-sink.js';

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

function setUp() {
  const lines: string[] = [];
  return { lines, sink: pinoSink({ write: (line) => lines.push(line) }) };
}

describe('pinoSink', () => {
  it('S1-24: has a TRACE level below DEBUG', () => {
    const { lines, sink } = setUp();
    for (const level of LEVELS) sink(level, `at ${level}`);
    const written = lines.map((line) => JSON.parse(line));
    expect(written.map(({ msg }) => msg)).to.deep.equal(LEVELS.map((level) => `at ${level}`));
    expect(written.map(({ level }) => level)).to.deep.equal([10, 20, 30, 40, 50]);
  });

  it('cannot be made to forge a line', () => {
    const { lines, sink } = setUp();
    sink('info', 'a\n{"level":50,"msg":"forged"}\r\n', { note: 'b\nc' });
    expect(lines).to.have.length(1);
    expect(lines[0]?.trimEnd().includes('\n')).to.equal(false);
  });

  it('writes an error with type, message and stack', () => {
    const { lines, sink } = setUp();
    sink('error', 'x', { error: new TypeError('not so'), n: 1 });
    const { error, fields } = JSON.parse(lines[0] ?? '');
    expect(error).to.include({ type: 'TypeError', message: 'not so' });
    expect(error.stack).to.contain('pino-sink.test');
    expect(fields).to.deep.equal({ n: 1 });
  });
});
