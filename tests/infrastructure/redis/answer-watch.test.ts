import { setImmediate as afterReading } from 'node:timers/promises';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { AnswerWatch } from '../../../src/infrastructure/redis/answer-watch.js';

const LIMIT_MS = 300;

describe('the watch over answers of Redis', () => {
  it('passes on what is answered, and what is refused', async () => {
    const watch = new AnswerWatch(LIMIT_MS, () => expect.fail('nothing is overdue'));
    expect(await watch.within(Promise.resolve('an answer'))).to.equal('an answer');
    const refused = watch.within(Promise.reject(new Error('NOSCRIPT')));
    expect(await refused.catch((error: Error) => error.message)).to.equal('NOSCRIPT');
  });

  it('gives up on every answer that does not come, and says once that the connection is of no use', async () => {
    let overdue = 0;
    const watch = new AnswerWatch(LIMIT_MS, () => {
      overdue += 1;
    });
    const never = () => watch.within(new Promise<string>(() => undefined)).catch(() => 'given up');
    // The watch does not keep a process alive.
    const alive = setInterval(() => undefined, 1000);
    expect(await Promise.all([never(), never()])).to.deep.equal(['given up', 'given up']);
    expect(overdue).to.equal(1);
    clearInterval(alive);
  });

  it('takes an answer that had arrived while the process itself stood still', async () => {
    const watch = new AnswerWatch(LIMIT_MS, () => expect.fail('nothing is overdue'));
    // Read when the loop comes to it, after the timers that are late.
    const answer = watch.within(afterReading('an answer'));
    const until = Date.now() + LIMIT_MS * 3;
    while (Date.now() < until);
    expect(await answer).to.equal('an answer');
  });
});
