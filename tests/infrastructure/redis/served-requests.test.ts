import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type LinkFrame, MAX_AGE_MS } from '../../../src/infrastructure/redis/link-frames.js';
import { ServedRequests } from '../../../src/infrastructure/redis/served-requests.js';

describe('requests of other instances', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const serving = (answerWith = 'done') => {
    const sent: LinkFrame[] = [];
    let begun = 0;
    const request = async (_body: string, answer: (part: string) => void) => {
      begun += 1;
      answer(answerWith);
    };
    const handler = { request, message: () => undefined };
    const served = new ServedRequests(
      (_to, frame) => sent.push(frame),
      () => handler,
      (error) => expect.fail(String(error)),
    );
    const kinds = () => sent.splice(0).map(({ kind }) => kind);
    return { served, kinds, begun: () => begun };
  };

  it('are begun once while a message can be recorded and sent again', async () => {
    const { served, begun } = serving();
    served.begin('other', 'r1', 'body');
    await turn();
    for (const age of [0, MAX_AGE_MS / 2 + 1, MAX_AGE_MS - 1]) {
      mock.timers.tick(age);
      served.begin('other', 'r1', 'body');
    }
    expect(begun()).to.equal(1);
  });

  it('are told as begun and lost, not as never heard of, when their answer is not kept any more', async () => {
    const { served, kinds } = serving();
    served.begin('other', 'r1', 'body');
    await turn();
    expect(kinds()).to.deep.equal(['part', 'over']);
    served.resend('other', 'r1', 0);
    expect(kinds()).to.deep.equal(['part', 'over']);
    mock.timers.tick(30_000);
    served.resend('other', 'r1', 0);
    expect(kinds()).to.deep.equal(['working', 'unknown']);
    served.resend('other', 'r2', 0);
    expect(kinds()).to.deep.equal(['unknown']);
  });

  it('leave only so much of their answers behind', async () => {
    const { served, kinds } = serving('x'.repeat(1024 * 1024));
    for (let n = 0; n < 40; n += 1) {
      served.begin('other', `r${n}`, 'body');
      await turn();
    }
    kinds();
    const kept = Array.from({ length: 40 }, (_, n) => {
      served.resend('other', `r${n}`, 0);
      return kinds().includes('part');
    });
    expect(kept.filter(Boolean)).to.have.length(32);
    expect(kept.slice(0, 8)).not.to.include(true);
  });
});
