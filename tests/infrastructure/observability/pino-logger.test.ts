import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { LogLevel } from '../../../src/application/ports/system/logger.js';
import { PinoLogger } from '../../../src/infrastructure/observability/pino-logger.js';
import { builtinRedactor } from '../../../src/infrastructure/observability/redaction.js';

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

function setUp(level: LogLevel | 'silent') {
  const lines: string[] = [];
  return { lines, logger: new PinoLogger(level, builtinRedactor, { write: (line) => lines.push(line) }) };
}

describe('PinoLogger', () => {
  it('S1-24: has a TRACE level below DEBUG', () => {
    const { lines, logger } = setUp('trace');
    for (const level of LEVELS) logger[level](`at ${level}`);
    const written = lines.map((line) => JSON.parse(line));
    expect(written.map(({ msg }) => msg)).to.deep.equal(LEVELS.map((level) => `at ${level}`));
    expect(written.map(({ level }) => level)).to.deep.equal([10, 20, 30, 40, 50]);
  });

  for (const [index, level] of LEVELS.entries()) {
    it(`S1-24: at ${level} writes that level and those above only`, () => {
      const { lines, logger } = setUp(level);
      for (const each of LEVELS) logger[each]('x');
      expect(lines).to.have.length(LEVELS.length - index);
      expect(LEVELS.filter((each) => logger.enabled(each))).to.deep.equal(LEVELS.slice(index));
    });
  }

  it('says nothing when silent', () => {
    const { lines, logger } = setUp('silent');
    for (const each of LEVELS) logger[each]('x');
    expect(lines).to.deep.equal([]);
  });

  it('cannot be made to forge a line', () => {
    const { lines, logger } = setUp('info');
    logger.info('a\n{"level":50,"msg":"forged"}\r\n', { note: 'b\nc' });
    expect(lines).to.have.length(1);
    expect(lines[0]?.trimEnd().includes('\n')).to.equal(false);
  });

  it('S3-18: takes secrets out of message, fields and error', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const { lines, logger } = setUp('info');
    logger.error(`with ${secret}`, { password: 'hunter2', text: secret, error: new Error(`no ${secret}`) });
    logger.error('x', { error: secret });
    expect(lines.join()).not.to.contain(secret).and.not.to.contain('hunter2');
  });

  it('writes an error with type, message and stack', () => {
    const { lines, logger } = setUp('info');
    logger.error('x', { error: new TypeError('not so'), n: 1 });
    const { error, fields } = JSON.parse(lines[0] ?? '');
    expect(error).to.include({ type: 'TypeError', message: 'not so' });
    expect(error.stack).to.contain('pino-logger.test');
    expect(fields).to.deep.equal({ n: 1 });
  });

  it('flushes where its stream can', () => {
    let flushed = 0;
    const stream = { write: () => {}, flushSync: () => (flushed += 1) };
    new PinoLogger('info', builtinRedactor, stream).flush();
    setUp('info').logger.flush();
    expect(flushed).to.equal(1);
  });
});
