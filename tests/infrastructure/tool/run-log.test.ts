import { expect } from 'chai';
import { describe, it } from 'mocha';
import { DEFAULT_BUDGET } from '../../../src/application/call/call-budget.js';
import { CallScope } from '../../../src/application/call/call-scope.js';
import { Cancellation } from '../../../src/application/call/cancellation.js';
import { RunLog } from '../../../src/application/call/pipeline/run-log.js';
import type { ArgumentValues, RunnableTool } from '../../../src/application/call/runnable-tool.js';
import { SILENT_CHANNEL } from '../../../src/application/call/tool-context.js';
import { Result } from '../../../src/domain/result.js';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import { executionFailed, toolFailure } from '../../../src/domain/tool/tool-error.js';
import { builtinRedactor } from '../../../src/infrastructure/observability/redaction.js';
import { InProcessToolSandbox } from '../../../src/infrastructure/tool/in-process-tool-sandbox.js';
import { RecordingLogger } from '../../../src/testing/testing.js';
import { levelsOf } from '../../support/pipeline.js';
import { mustFail, mustValue, runnable } from '../../support/sample-tool.js';

function scope(): CallScope {
  return new CallScope(Session.create('s', LOCAL_EMBEDDED), 'call-7', {}, new Cancellation(), SILENT_CHANNEL);
}

const sandbox = new InProcessToolSandbox(builtinRedactor);

function logged(run: RunnableTool['run']) {
  const logger = new RecordingLogger();
  const tool = runnable({ name: 'sample' }, run);
  return {
    logger,
    run: (args: ArgumentValues = {}, context = scope()) =>
      sandbox.run(tool, args, context, DEFAULT_BUDGET, new RunLog('sample', context, logger)),
  };
}

describe('The log of a run', () => {
  it('S0-28, S1-07: logs TRACE "Tool called" before the handler is entered', async () => {
    const { logger, run } = logged(() => {
      expect(levelsOf(logger)).to.deep.equal(['trace Tool called: sample']);
      return Result.ok(1);
    });
    mustValue(await run());
    expect(logger.records).to.have.length(2);
  });

  it('S0-30, S1-08: a synchronous success is DEBUG', async () => {
    const { logger, run } = logged(() => Result.ok(1));
    expect(mustValue(await run()).structured?.value).to.equal(1);
    expect(levelsOf(logger)).to.deep.equal([
      'trace Tool called: sample',
      'debug Tool sample completed successfully',
    ]);
  });

  it('S0-29, S1-08: an asynchronous success is TRACE, and only once it is there', async () => {
    const { logger, run } = logged(async () => Result.ok(1));
    const running = run();
    expect(levelsOf(logger)).to.deep.equal(['trace Tool called: sample']);
    expect(mustValue(await running).structured?.value).to.equal(1);
    expect(levelsOf(logger).slice(1)).to.deep.equal(['trace Tool sample completed successfully']);
  });

  it('S0-31, S1-08: a throw is ERROR with the error itself in the fields', async () => {
    const fault = new Error('out of paper');
    const { logger, run } = logged(() => {
      throw fault;
    });
    expect(mustFail(await run()).error.message).to.contain('out of paper');
    expect(logger.records.at(-1)).to.deep.equal({
      level: 'error',
      message: 'Tool sample failed: out of paper',
      fields: { correlationId: 'call-7', error: fault },
    });
  });

  it('S0-32, S0-31: and so is a promise that is rejected', async () => {
    const fault = new Error('late');
    const { logger, run } = logged(() => Promise.reject(fault));
    expect(mustFail(await run()).error.message).to.contain('late');
    expect(levelsOf(logger).slice(1)).to.deep.equal(['error Tool sample failed: late']);
  });

  it('S1-22: a refusal that was returned is neither a success nor an error', async () => {
    const { logger, run } = logged(() => toolFailure(executionFailed('no such file')));
    mustFail(await run());
    expect(levelsOf(logger).slice(1)).to.deep.equal(['debug Tool sample refused: no such file']);
  });

  it('S0-29, S3-16: a handler that ends after its call was over is no success', async () => {
    const late = scope();
    let end = () => {};
    const { logger, run } = logged(
      () =>
        new Promise((resolve) => {
          end = () => resolve(Result.ok(1));
        }),
    );
    const running = run({}, late);
    late.cancellation.cancel('timeout');
    mustFail(await running);
    expect(levelsOf(logger)).to.deep.equal(['trace Tool called: sample']);
    end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(levelsOf(logger).slice(1)).to.deep.equal(['debug Tool sample ended after its call was over']);
  });

  it('a handler that gives up because its call was stopped has not failed', async () => {
    const stopped = scope();
    const { logger, run } = logged(async () => {
      stopped.cancellation.cancel('caller');
      throw new DOMException('stopped', 'AbortError');
    });
    mustFail(await run({}, stopped));
    await new Promise((resolve) => setImmediate(resolve));
    expect(levelsOf(logger).slice(1)).to.deep.equal(['debug Tool sample was stopped']);
  });

  it('S3-18, S3-23: logs the arguments cut and without secrets', async () => {
    const { logger, run } = logged(() => Result.ok(1));
    await run({ password: 'hunter2', text: 'x '.repeat(100) });
    const fields = JSON.stringify(logger.records[0]?.fields);
    expect(fields).not.to.contain('hunter2');
    expect(fields).to.contain('... [200 chars]').and.to.contain('call-7');
  });

  it('builds no fields for a level that is off', async () => {
    const { logger, run } = logged(() => Result.ok(1));
    logger.enabled = () => false;
    await run();
    expect(levelsOf(logger)).to.deep.equal(['debug Tool sample completed successfully']);
  });
});
