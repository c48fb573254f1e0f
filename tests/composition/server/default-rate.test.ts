import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Clock } from '../../../src/application/ports/system/clock.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { ManualClock } from '../../../src/testing/testing.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { mustFail } from '../../support/sample-tool.js';

describe('The rate that nobody has set', () => {
  it('S3-48, C15: is 1,200 a minute and 300 at one go; a refusal says so, and which key raises it', async () => {
    const clock = new ManualClock();
    const castellan = await createCastellan({
      ...isolatedOptions(),
      configure: (container) => {
        container.rebind(Clock).toConstantValue(clock);
      },
    });
    const echo = () => castellan.execute('echo', {});
    for (let call = 0; call < 300; call += 1) expect((await echo()).success, String(call)).to.equal(true);
    const { error } = mustFail(await echo());
    expect(error).to.include({ kind: 'unavailable', reason: 'RATE_LIMITED', retryAfterMs: 50 });
    expect(error.message).to.contain('1,200 per minute, 300 at one go, for each caller');
    expect(error.message).to.contain('`tools: { echo: { rate: { limit: 2400/min, burst: 600 } } }`');
    clock.advance(50);
    expect((await echo()).success).to.equal(true);
    await castellan.close();
  });
});
