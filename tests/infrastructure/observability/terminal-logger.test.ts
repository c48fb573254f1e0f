import { expect } from 'chai';
import { describe, it } from 'mocha';
import { TerminalLogger } from '../../../src/infrastructure/observability/terminal-logger.js';

const ESCAPE = String.fromCharCode(27);
const redactor = {
  text: (text: string) => text.replaceAll('hunter2', '***'),
  value: (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('hunter2', '***')),
};

function lines(level: 'debug' | 'info' | 'silent', colour = false) {
  const written: string[] = [];
  return { written, logger: new TerminalLogger(level, redactor, colour, (line) => written.push(line)) };
}

describe('the log on a terminal', () => {
  it('is a sentence a line, without JSON around it, redacted', () => {
    const { written, logger } = lines('info');
    logger.warn('p.yaml was found here');
    logger.info('reloaded with hunter2', { origin: ['hunter2'] });
    logger.debug('not shown');
    expect(written).to.deep.equal([
      'warning: p.yaml was found here\n',
      'info: reloaded with *** {"origin":["***"]}\n',
    ]);
  });

  it('shows where a fault is only to those who look for it', () => {
    const error = new Error('broke');
    const quiet = lines('info');
    quiet.logger.error('It failed', { error });
    expect(quiet.written.join('')).to.equal('error: It failed (broke)\n');
    const debug = lines('debug');
    debug.logger.error('It failed', { error });
    expect(debug.written.join('')).to.contain('terminal-logger.test');
  });

  it('lets no message steer the terminal', () => {
    const { written, logger } = lines('info');
    logger.warn(`a${ESCAPE}[2Jb\nc`);
    expect(written).to.deep.equal(['warning: a\\u001b[2Jb\nc\n']);
  });

  it('colours its first word where it may, and is silent where it is told to be', () => {
    const { written, logger } = lines('info', true);
    logger.error('x');
    expect(written.join('')).to.contain(`${ESCAPE}[31merror:`);
    const silent = lines('silent');
    silent.logger.error('x');
    expect(silent.written).to.deep.equal([]);
  });
});
