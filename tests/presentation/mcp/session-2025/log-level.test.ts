import { expect } from 'chai';
import { describe, it } from 'mocha';
import { LOG_LEVELS, LogLevelFilter } from '../../../../src/presentation/mcp/session-2025/log-level.js';

describe('LogLevelFilter', () => {
  it('lets everything through until the client says otherwise', () => {
    const filter = new LogLevelFilter();
    expect(filter.passes('debug')).to.equal(true);
    expect(filter.set('error')).to.equal(true);
    expect([filter.passes('warning'), filter.passes('error'), filter.passes('emergency')]).to.deep.equal([
      false,
      true,
      true,
    ]);
  });

  it('knows the eight levels of the protocol, and changes nothing for another', () => {
    expect(LOG_LEVELS).to.have.length(8);
    const filter = new LogLevelFilter();
    filter.set('error');
    for (const level of ['loud', 7, undefined, null, '__proto__']) expect(filter.set(level)).to.equal(false);
    expect(filter.passes('info')).to.equal(false);
  });
});
