import { expect } from 'chai';
import { describe, it } from 'mocha';
import { RateCheck } from '../../../src/infrastructure/doctor/rate-check.js';

const USUAL = { limit: 1200, perMs: 60_000, burst: 300 };

describe('The rates that doctor shows', () => {
  it('S3-48: are the default, with the tools that the policy has its own rate for', async () => {
    expect(await new RateCheck(USUAL, new Map()).run()).to.deep.equal({
      status: 'ok',
      detail: '1,200 per minute, 300 at one go, for each caller and tool',
    });
    const own = new Map([['read_file', { limit: 5, perMs: 1000, burst: 5 }]]);
    expect((await new RateCheck(USUAL, own).run()).detail).to.match(
      /; by the policy: read_file 5 per second, 5 at one go$/,
    );
  });

  it('are not listed without end', async () => {
    const own = new Map(Array.from({ length: 13 }, (_, index) => [`tool_${index}`, USUAL] as const));
    expect((await new RateCheck(USUAL, own).run()).detail).to.match(/tool_9 [^;]+; 3 more$/);
  });
});
