import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { LogLevel } from '../../../src/application/ports/system/logger.js';
import { LazyLogger } from '../../../src/infrastructure/observability/lazy-logger.js';
import { pinoSink } from '../../../src/infrastructure/observability/pino-sink.js';

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

function setUp(level: LogLevel | 'silent') {
  const lines: string[] = [];
  let loads = 0;
  const logger = new LazyLogger(
    () => level,
    async () => {
      loads += 1;
      return pinoSink({ write: (line) => lines.push(line) });
    },
  );
  const messages = () => lines.map((line) => JSON.parse(line).msg);
  return { logger, messages, loads: () => loads };
}

const later = () => new Promise((resolve) => setImmediate(resolve));

describe('LazyLogger', () => {
  it('loads nothing as long as there is nothing to say', async () => {
    const { logger, loads } = setUp('warn');
    logger.info('not at this level');
    await later();
    expect(loads()).to.equal(0);
  });

  it('keeps the order of lines that came before the logger was there, and loads it once', async () => {
    const { logger, messages, loads } = setUp('info');
    logger.info('first');
    logger.error('second');
    await later();
    logger.warn('third');
    expect(messages()).to.deep.equal(['first', 'second', 'third']);
    expect(loads()).to.equal(1);
  });

  for (const [index, level] of [...LEVELS, 'silent' as const].entries()) {
    it(`S1-24: at ${level} writes that level and those above only`, async () => {
      const { logger, messages } = setUp(level);
      for (const each of LEVELS) logger[each](each);
      await later();
      expect(messages()).to.deep.equal(LEVELS.slice(index));
      expect(LEVELS.filter((each) => logger.enabled(each))).to.deep.equal(messages());
    });
  }
});
