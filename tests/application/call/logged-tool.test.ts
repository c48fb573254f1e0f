import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CallScope } from '../../../src/application/call/call-scope.js';
import { Cancellation } from '../../../src/application/call/cancellation.js';
import { loggedTool } from '../../../src/application/call/logged-tool.js';
import type { RunnableTool } from '../../../src/application/call/runnable-tool.js';
import { SILENT_CHANNEL } from '../../../src/application/call/tool-context.js';
import { readPath } from '../../../src/domain/permission/policy/permission-request.js';
import { Result } from '../../../src/domain/result.js';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import { executionFailed, toolFailure } from '../../../src/domain/tool/tool-error.js';
import { RecordingLogger } from '../../../src/testing/testing.js';
import { levelsOf } from '../../support/pipeline.js';
import { runnable } from '../../support/sample-tool.js';

function scope(): CallScope {
  return new CallScope(Session.create('s', LOCAL_EMBEDDED), 'call-7', {}, new Cancellation(), SILENT_CHANNEL);
}

function logged(run: RunnableTool['run']) {
  const logger = new RecordingLogger();
  return { logger, tool: loggedTool(runnable({ name: 'sample' }, run), logger) };
}

describe('loggedTool', () => {
  it('S0-28, S1-07: logs TRACE "Tool called" before the handler is entered', () => {
    const { logger, tool } = logged(() => {
      expect(levelsOf(logger)).to.deep.equal(['trace Tool called: sample']);
      return Result.ok(1);
    });
    tool.run({}, scope());
    expect(logger.records).to.have.length(2);
  });

  it('S0-30, S1-08: a synchronous success is DEBUG', () => {
    const { logger, tool } = logged(() => Result.ok(1));
    expect(tool.run({}, scope())).to.deep.equal(Result.ok(1));
    expect(levelsOf(logger)).to.deep.equal([
      'trace Tool called: sample',
      'debug Tool sample completed successfully',
    ]);
  });

  it('S0-29, S1-08: an asynchronous success is TRACE, and only once it is there', async () => {
    const { logger, tool } = logged(async () => Result.ok(1));
    const running = tool.run({}, scope());
    expect(levelsOf(logger)).to.deep.equal(['trace Tool called: sample']);
    expect(await running).to.deep.equal(Result.ok(1));
    expect(levelsOf(logger).at(1)).to.equal('trace Tool sample completed successfully');
  });

  it('S0-31, S1-08: a throw is ERROR with the error itself in the fields', () => {
    const fault = new Error('out of paper');
    const { logger, tool } = logged(() => {
      throw fault;
    });
    expect(() => tool.run({}, scope())).to.throw();
    expect(logger.records.at(-1)).to.deep.equal({
      level: 'error',
      message: 'Tool sample failed: out of paper',
      fields: { correlationId: 'call-7', error: fault },
    });
  });

  it('S0-32: the very error is thrown again, by synchronous handlers', () => {
    const fault = new Error('x');
    const { tool } = logged(() => {
      throw fault;
    });
    expect(() => tool.run({}, scope()))
      .to.throw()
      .that.equals(fault);
  });

  it('S0-32, S0-31: and by asynchronous ones', async () => {
    const fault = new Error('late');
    const { logger, tool } = logged(() => Promise.reject(fault));
    const caught = await Promise.resolve(tool.run({}, scope())).catch((error: unknown) => error);
    expect(caught).to.equal(fault);
    expect(levelsOf(logger).at(-1)).to.equal('error Tool sample failed: late');
  });

  it('S1-22: a refusal that was returned is neither a success nor an error', () => {
    const { logger, tool } = logged(() => toolFailure(executionFailed('no such file')));
    tool.run({}, scope());
    expect(levelsOf(logger).at(-1)).to.equal('debug Tool sample refused: no such file');
  });

  it('S0-29, S3-16: a handler that ends after its call was over is no success', async () => {
    const cancellation = new Cancellation();
    const late = new CallScope(
      Session.create('s', LOCAL_EMBEDDED),
      'call-8',
      {},
      cancellation,
      SILENT_CHANNEL,
    );
    const { logger, tool } = logged(async () => Result.ok(1));
    const running = tool.run({}, late);
    cancellation.cancel('timeout');
    await running;
    expect(levelsOf(logger)).to.deep.equal([
      'trace Tool called: sample',
      'debug Tool sample ended after its call was over',
    ]);
  });

  it('S3-18, S3-23: logs the arguments cut and without secrets', () => {
    const { logger, tool } = logged(() => Result.ok(1));
    tool.run({ password: 'hunter2', text: 'x '.repeat(100) }, scope());
    const fields = JSON.stringify(logger.records[0]?.fields);
    expect(fields).not.to.contain('hunter2');
    expect(fields).to.contain('... [200 chars]').and.to.contain('call-7');
  });

  it('builds no fields for a level that is off', () => {
    const logger = new RecordingLogger();
    logger.enabled = () => false;
    loggedTool(runnable(), logger).run({}, scope());
    expect(levelsOf(logger)).to.deep.equal(['debug Tool sample completed successfully']);
  });

  it('is otherwise the tool it wraps', () => {
    const inner = {
      ...runnable({}, undefined, { timeoutMs: 5 }),
      permissions: () => [readPath('a')],
    };
    const tool = loggedTool(inner, new RecordingLogger());
    expect(tool.tool).to.equal(inner.tool);
    expect(tool.budget).to.deep.equal({ timeoutMs: 5 });
    expect(tool.permissions({})).to.deep.equal(inner.permissions());
  });
});
