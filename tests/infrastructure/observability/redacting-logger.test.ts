import { expect } from 'chai';
import { describe, it } from 'mocha';
import { RedactingLogger } from '../../../src/infrastructure/observability/redacting-logger.js';
import { builtinRedactor } from '../../../src/infrastructure/observability/redaction.js';
import { RecordingLogger } from '../../../src/testing/testing.js';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

describe('RedactingLogger', () => {
  it('S3-18: takes secrets out of message, fields and error before the logger sees them', () => {
    const behind = new RecordingLogger();
    const logger = new RedactingLogger(behind, builtinRedactor);
    const error = new TypeError(`no ${SECRET}`);
    logger.error(`with ${SECRET}`, { password: 'hunter2', text: SECRET, error });
    logger.debug('x', { error: SECRET });
    const [first] = behind.records;
    const told = first?.fields?.error;
    const shown = [behind.records, told].map((part) =>
      JSON.stringify(part, (_key, value) =>
        value instanceof Error ? [value.name, value.message, value.stack] : value,
      ),
    );
    expect(shown.join()).not.to.contain(SECRET).and.not.to.contain('hunter2');
    expect(told).to.be.instanceOf(Error).and.to.have.property('name', 'TypeError');
    expect(told).to.have.property('stack').that.contains('redacting-logger.test');
  });

  it('builds no fields for a level that is off', () => {
    const behind = new RecordingLogger();
    behind.enabled = () => false;
    new RedactingLogger(behind, builtinRedactor).info('x', {
      get costly() {
        return expect.fail('it was looked at');
      },
    });
    expect(behind.records).to.deep.equal([]);
  });
});
