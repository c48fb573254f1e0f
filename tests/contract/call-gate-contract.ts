import { expect } from 'chai';
import { describe, it } from 'mocha';
import { type CallBudget, DEFAULT_BUDGET } from '../../src/application/call/call-budget.js';
import { Cancellation } from '../../src/application/call/cancellation.js';
import type { Clock } from '../../src/application/ports/system/clock.js';
import type { CallGate } from '../../src/application/ports/tool/call-gate.js';
import { ManualClock } from '../../src/testing/testing.js';
import { mustFail, mustValue, toolName } from '../support/sample-tool.js';

const ECHO = toolName('echo');

function budgetOf(parts: Partial<CallBudget>): CallBudget {
  return { ...DEFAULT_BUDGET, rate: { limit: 1e9, perMs: 1, burst: 1e9 }, ...parts };
}

function turns(count = 5): Promise<void> {
  return count === 0
    ? Promise.resolve()
    : new Promise((resolve) => setImmediate(() => resolve(turns(count - 1))));
}

/** What every CallGate must do, by the clock it is given. */
export function callGateContract(name: string, make: (clock: Clock) => CallGate): void {
  describe(`${name} is a CallGate`, () => {
    it('S3-48: refuses a call over the rate and says when to come again, which is then enough', async () => {
      const clock = new ManualClock();
      const gate = make(clock);
      const budget = budgetOf({ rate: { limit: 2, perMs: 1000, burst: 3 }, concurrency: 100 });
      const enter = () => gate.enter('me', ECHO, budget, new Cancellation());
      for (let n = 0; n < 3; n += 1) mustValue(await enter()).release();
      const { error, errorType } = mustFail(await enter());
      expect(errorType).to.equal('ToolUnavailableError');
      expect(error).to.include({ kind: 'unavailable', reason: 'RATE_LIMITED', retryAfterMs: 500 });
      clock.advance(499);
      expect((await enter()).success).to.equal(false);
      clock.advance(1);
      expect((await enter()).success).to.equal(true);
    });

    it('S3-48: counts each caller and each tool by itself', async () => {
      const gate = make(new ManualClock());
      const budget = budgetOf({ rate: { limit: 1, perMs: 1000, burst: 1 } });
      const enter = async (caller: string, tool = ECHO) =>
        (await gate.enter(caller, tool, budget, new Cancellation())).success;
      expect(await enter('a')).to.equal(true);
      expect(await enter('a')).to.equal(false);
      expect(await enter('b')).to.equal(true);
      expect(await enter('a', toolName('other'))).to.equal(true);
    });

    it('counts all callers together where they share a rate', async () => {
      const gate = make(new ManualClock());
      const budget = budgetOf({ rate: { limit: 1, perMs: 1000, burst: 2, shared: true } });
      const enter = async (caller: string, tool = ECHO) =>
        (await gate.enter(caller, tool, budget, new Cancellation())).success;
      expect(await enter('a')).to.equal(true);
      expect(await enter('b')).to.equal(true);
      expect(await enter('c')).to.equal(false);
      expect(await enter('c', toolName('other'))).to.equal(true);
    });

    it('lets no more in at once than there are places, and the others in their order', async () => {
      const gate = make(new ManualClock());
      const budget = budgetOf({ concurrency: 2 });
      const order: number[] = [];
      const entered = Array.from({ length: 6 }, async (_, n) => {
        const slot = mustValue(await gate.enter('me', ECHO, budget, new Cancellation()));
        order.push(n);
        return slot;
      });
      await turns();
      expect(order).to.deep.equal([0, 1]);
      (await entered[0])?.release();
      await turns();
      expect(order).to.deep.equal([0, 1, 2]);
      for (const each of entered.slice(1)) (await each).release();
      expect(order).to.deep.equal([0, 1, 2, 3, 4, 5]);
    });

    it('refuses as busy when as many wait as may wait', async () => {
      const gate = make(new ManualClock());
      const budget = budgetOf({ concurrency: 1 });
      const calls = Array.from({ length: 100 }, () => gate.enter('me', ECHO, budget, new Cancellation()));
      const last = mustFail((await Promise.all(calls.slice(50)))[49] ?? (await calls[0]) ?? expect.fail());
      expect(last.error).to.include({ kind: 'unavailable', reason: 'BUSY' });
      expect(last.error).to.have.property('retryAfterMs').above(0);
    });

    it('a call that is cancelled while it waits leaves the queue at once', async () => {
      const gate = make(new ManualClock());
      const budget = budgetOf({ concurrency: 1 });
      const first = mustValue(await gate.enter('me', ECHO, budget, new Cancellation()));
      const cancellation = new Cancellation();
      const waiting = gate.enter('me', ECHO, budget, cancellation);
      const behind = gate.enter('me', ECHO, budget, new Cancellation());
      cancellation.cancel('caller');
      expect(mustFail(await waiting).error.kind).to.equal('cancelled');
      first.release();
      mustValue(await behind).release();
    });

    it('a call that was cancelled before does not wait at all', async () => {
      const gate = make(new ManualClock());
      const budget = budgetOf({ concurrency: 1 });
      const first = mustValue(await gate.enter('me', ECHO, budget, new Cancellation()));
      const cancellation = new Cancellation();
      cancellation.cancel('caller');
      expect(mustFail(await gate.enter('me', ECHO, budget, cancellation)).error.kind).to.equal('cancelled');
      first.release();
    });

    it('keeps serving more callers than it cares to remember', async () => {
      const clock = new ManualClock();
      const gate = make(clock);
      const budget = budgetOf({ rate: { limit: 1, perMs: 1000, burst: 1 } });
      for (let n = 0; n < 11_000; n += 1) {
        if (n === 10_000) clock.advance(1000);
        mustValue(await gate.enter(`caller-${n}`, ECHO, budget, new Cancellation())).release();
      }
      expect((await gate.enter('caller-10999', ECHO, budget, new Cancellation())).success).to.equal(false);
    });
  });
}
