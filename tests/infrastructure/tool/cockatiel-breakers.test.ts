import { expect } from 'chai';
import { describe, it } from 'mocha';
import { type CallBudget, DEFAULT_BUDGET } from '../../../src/application/call/call-budget.js';
import { Result } from '../../../src/domain/result.js';
import {
  callCancelled,
  executionFailed,
  invalidInput,
  type ToolError,
  toolFailure,
  toolTimedOut,
} from '../../../src/domain/tool/tool-error.js';
import { SystemClock } from '../../../src/infrastructure/system/system-clock.js';
import { CockatielBreakers } from '../../../src/infrastructure/tool/cockatiel-breakers.js';
import { ManualClock, RecordingLogger } from '../../../src/testing/testing.js';
import { NO_LIMITS, Pipeline } from '../../support/pipeline.js';
import { mustFail, runnable, toolName } from '../../support/sample-tool.js';

const TOOL = toolName('sample');
const OPEN_MS = 60;

function budget(openForMs = OPEN_MS): CallBudget {
  return { ...DEFAULT_BUDGET, breaker: { failures: 5, openForMs } };
}

async function failTimes(breakers: CockatielBreakers, count: number, error: ToolError, openForMs = OPEN_MS) {
  for (let n = 0; n < count; n += 1) {
    await breakers.guard(TOOL, budget(openForMs), async () => toolFailure(error));
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('CockatielBreakers', () => {
  it('S3-21: five faults open the breaker, and it says when to retry', async () => {
    const logger = new RecordingLogger();
    const breakers = new CockatielBreakers(new ManualClock(), logger);
    await failTimes(breakers, 4, executionFailed('x'), 30_000);
    expect(breakers.state(TOOL)).to.equal('closed');
    await failTimes(breakers, 1, toolTimedOut(1), 30_000);
    expect(breakers.state(TOOL)).to.equal('open');
    const refused = await breakers.guard(TOOL, budget(30_000), async () => expect.fail('it ran'));
    const envelope = mustFail(refused).toEnvelope();
    expect(envelope).to.include({ error_type: 'ToolUnavailableError', error_code: -32010 });
    expect(envelope.error_details).to.deep.equal({ reason: 'BREAKER_OPEN', retry_after_ms: 30_000 });
    expect(logger.records).to.deep.equal([
      { level: 'warn', message: 'Breaker of sample opened for 30000 ms', fields: { breaker: 'tool_sample' } },
    ]);
  });

  it('S3-21: a tool has a breaker of its own', async () => {
    const breakers = new CockatielBreakers(new SystemClock(), new RecordingLogger());
    await failTimes(breakers, 5, executionFailed('x'));
    expect(breakers.state(toolName('other'))).to.equal('closed');
    const other = await breakers.guard(toolName('other'), budget(), async () => Result.ok(1));
    expect(other.success).to.equal(true);
  });

  for (const error of [invalidInput([]), callCancelled(), { ...toolTimedOut(1), chosenByCaller: true }]) {
    it(`S3-21: a hundred times ${error.kind} does not open it`, async () => {
      const breakers = new CockatielBreakers(new SystemClock(), new RecordingLogger());
      await failTimes(breakers, 100, error);
      expect(breakers.state(TOOL)).to.equal('closed');
    });
  }

  it('a cancelled call counts neither as a success nor as a failure', async () => {
    const breakers = new CockatielBreakers(new SystemClock(), new RecordingLogger());
    await failTimes(breakers, 4, executionFailed('x'));
    await failTimes(breakers, 10, callCancelled());
    expect(breakers.state(TOOL)).to.equal('closed');
    await failTimes(breakers, 1, executionFailed('x'));
    expect(breakers.state(TOOL)).to.equal('open');
  });

  it('a cancelled probe leaves the breaker open, and the next call is a probe again', async () => {
    const breakers = new CockatielBreakers(new SystemClock(), new RecordingLogger());
    await failTimes(breakers, 5, executionFailed('x'));
    await pause(OPEN_MS + 10);
    const probe = await breakers.guard(TOOL, budget(), async () => toolFailure(callCancelled()));
    expect(mustFail(probe).errorType).to.equal('CancelledError');
    expect(breakers.state(TOOL)).to.equal('open');
    await failTimes(breakers, 1, executionFailed('x'));
    expect(breakers.state(TOOL)).to.equal('open');
    await pause(OPEN_MS + 10);
    await failTimes(breakers, 1, callCancelled());
    expect((await breakers.guard(TOOL, budget(), async () => Result.ok(1))).success).to.equal(true);
    expect(breakers.state(TOOL)).to.equal('closed');
  });

  it('counts a fault that was thrown, and throws it on', async () => {
    const breakers = new CockatielBreakers(new SystemClock(), new RecordingLogger());
    const bug = new Error('bug');
    for (let n = 0; n < 5; n += 1) {
      const caught = await breakers
        .guard(TOOL, budget(), () => Promise.reject(bug))
        .catch((error: unknown) => error);
      expect(caught).to.equal(bug);
    }
    expect(breakers.state(TOOL)).to.equal('open');
  });

  it('closes after one good probe', async () => {
    const breakers = new CockatielBreakers(new SystemClock(), new RecordingLogger());
    await failTimes(breakers, 5, executionFailed('x'));
    await pause(OPEN_MS + 10);
    expect((await breakers.guard(TOOL, budget(), async () => Result.ok(1))).success).to.equal(true);
    expect(breakers.state(TOOL)).to.equal('closed');
    await failTimes(breakers, 4, executionFailed('x'));
    expect(breakers.state(TOOL)).to.equal('closed');
  });

  it('opens again after one bad probe, for as long as before', async () => {
    const clock = new SystemClock();
    const breakers = new CockatielBreakers(clock, new RecordingLogger());
    await failTimes(breakers, 5, executionFailed('x'));
    await pause(OPEN_MS + 10);
    await failTimes(breakers, 1, executionFailed('x'));
    expect(breakers.state(TOOL)).to.equal('open');
    const refused = mustFail(await breakers.guard(TOOL, budget(), async () => Result.ok(1)));
    expect(refused.error).to.have.property('retryAfterMs').within(1, OPEN_MS);
  });

  it('S3-21: in the pipeline, five validation errors leave a tool as it is, five faults do not', async () => {
    const pipeline = new Pipeline(
      [
        runnable({}, () => {
          throw new Error('x');
        }),
      ],
      NO_LIMITS,
    );
    for (let n = 0; n < 5; n += 1) {
      expect(mustFail(await pipeline.call('sample', { wrong: 1 })).errorType).to.equal('ToolValidationError');
    }
    for (let n = 0; n < 5; n += 1) {
      expect(mustFail(await pipeline.call('sample')).errorType).to.equal('ToolExecutionError');
    }
    const { error_type, error_details } = mustFail(await pipeline.call('sample')).toEnvelope();
    expect(error_type).to.equal('ToolUnavailableError');
    expect(error_details).to.have.property('retry_after_ms').above(0);
  });
});
