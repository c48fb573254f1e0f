import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { LogLevel } from '../../../src/application/ports/system/logger.js';
import { LazyLogger } from '../../../src/infrastructure/observability/lazy-logger.js';
import { PinoLogger } from '../../../src/infrastructure/observability/pino-logger.js';
import { builtinRedactor } from '../../../src/infrastructure/observability/redaction.js';

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

function setUp(level: LogLevel | 'silent') {
  const lines: string[] = [];
  let loads = 0;
  const logger = new LazyLogger(
    () => level,
    async () => {
      loads += 1;
      return new PinoLogger(level, builtinRedactor, { write: (line) => lines.push(line) });
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

  for (const level of [...LEVELS, 'silent'] as const) {
    it(`at ${level} lets through what the logger behind it would`, async () => {
      const { logger, messages } = setUp(level);
      const behind = new PinoLogger(level, builtinRedactor, { write: () => true });
      for (const each of LEVELS) logger[each](each);
      await later();
      expect(messages()).to.deep.equal(LEVELS.filter((each) => behind.enabled(each)));
      expect(LEVELS.filter((each) => logger.enabled(each))).to.deep.equal(messages());
    });
  }
});
