import { expect } from 'chai';
import { describe, it } from 'mocha';
import { type CallBudget, DEFAULT_BUDGET } from '../../../src/application/call/call-budget.js';
import { CallScope } from '../../../src/application/call/call-scope.js';
import { Cancellation } from '../../../src/application/call/cancellation.js';
import type { RunnableTool, ToolOutcome } from '../../../src/application/call/runnable-tool.js';
import { SILENT_CHANNEL } from '../../../src/application/call/tool-context.js';
import { Result } from '../../../src/domain/result.js';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import { closedObjectSchema } from '../../../src/domain/tool/tool-input-schema.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { builtinRedactor } from '../../../src/infrastructure/observability/redaction.js';
import { InProcessToolSandbox } from '../../../src/infrastructure/tool/in-process-tool-sandbox.js';
import { mustFail, mustValue, runnable, textOf } from '../../support/sample-tool.js';

function start(run: RunnableTool['run'], budget: Partial<CallBudget> = {}, structured = false) {
  const cancellation = new Cancellation();
  const session = Session.create('s', LOCAL_EMBEDDED);
  const scope = new CallScope(session, 'call-1', {}, cancellation, SILENT_CHANNEL);
  const tool = runnable(structured ? { outputSchema: closedObjectSchema({}) } : {}, run);
  const outcome = new InProcessToolSandbox(builtinRedactor).run(tool, {}, scope, {
    ...DEFAULT_BUDGET,
    ...budget,
  });
  return { outcome, cancellation, scope };
}

const never = () => new Promise<ToolOutcome>(() => {});

describe('InProcessToolSandbox', () => {
  it('S4-22, S3-16: ends a handler at its timeout with a timeout error, its signal aborted', async () => {
    const { outcome, scope } = start(never, { timeoutMs: 15 });
    const failure = mustFail(await outcome);
    expect(failure.toEnvelope()).to.include({ error_type: 'ToolTimeoutError', error_code: -32006 });
    expect(failure.error.message).to.match(/^Tool execution timed out/);
    expect(scope.signal.aborted).to.equal(true);
    expect(scope.signal.reason).to.have.property('name', 'TimeoutError');
  });

  const SECRETS = [
    `sk-ant-api03-${'k3Y'.repeat(10)}`,
    'password=hunter2hunter2',
    'postgres://app:s3cr3tpass@db/main',
  ];

  for (const secret of SECRETS) {
    it(`S3-43, C21: keeps ${secret.slice(0, 12)}… of a thrown message from the caller`, async () => {
      const thrown = () => {
        throw new Error(`boom ${secret} ${'x'.repeat(400)}`);
      };
      const { error } = mustFail(await start(thrown).outcome);
      expect(error.message).to.contain('boom').and.not.to.contain(secret);
      expect(JSON.stringify(error)).not.to.contain(secret);
    });

    it(`S3-43: keeps ${secret.slice(0, 12)}… of a passed-on exception from the caller`, async () => {
      const exception = new TypeError(`inner ${secret}`);
      const failed = () => Result.failure('It went wrong.', 'UpstreamError', { exception });
      const { notes, error } = mustFail(await start(failed).outcome);
      expect(error.message).to.equal('It went wrong.');
      expect(notes.exception).to.have.property('name', 'TypeError');
      expect(notes.exception?.message).to.contain('inner').and.not.to.contain(secret);
    });
  }

  it('drops the late result of a handler it has abandoned', async () => {
    let finish: (outcome: ToolOutcome) => void = () => {};
    const { outcome } = start(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
      { timeoutMs: 10 },
    );
    expect(mustFail(await outcome).error.kind).to.equal('timeout');
    finish(Result.ok(ToolResult.text('too late')));
    await new Promise((resolve) => setImmediate(resolve));
    expect(mustFail(await outcome).error.kind).to.equal('timeout');
  });

  it('lets a late rejection of an abandoned handler hurt nobody', async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', listen);
    const { outcome } = start(
      () =>
        new Promise((_, reject) => {
          setTimeout(() => reject(new Error('late')), 20);
        }),
      { timeoutMs: 5 },
    );
    expect(mustFail(await outcome).error.kind).to.equal('timeout');
    await new Promise((resolve) => setTimeout(resolve, 40));
    process.off('unhandledRejection', listen);
    expect(unhandled).to.deep.equal([]);
  });

  it('ends a handler when its caller cancels, at once and with its signal aborted', async () => {
    const { outcome, cancellation, scope } = start(never);
    cancellation.cancel('caller');
    expect(mustFail(await outcome).toEnvelope()).to.include({
      error_type: 'CancelledError',
      error_code: -32011,
    });
    expect(scope.signal.aborted).to.equal(true);
  });

  it('does not even begin what was cancelled before', async () => {
    const cancellation = new Cancellation();
    cancellation.cancel('caller');
    const scope = new CallScope(Session.create('s', LOCAL_EMBEDDED), 'c', {}, cancellation, SILENT_CHANNEL);
    const tool = runnable({}, () => expect.fail('it ran'));
    expect(
      mustFail(await new InProcessToolSandbox(builtinRedactor).run(tool, {}, scope, DEFAULT_BUDGET)).error
        .kind,
    ).to.equal('cancelled');
  });

  it('S4-22, S3-43: a throw becomes "Tool execution failed" with a sanitised message', async () => {
    for (const run of [
      () => {
        throw new Error('cannot open /home/me/secret.txt\n    at stack');
      },
      () => Promise.reject(new Error('cannot open /home/me/secret.txt\n    at stack')),
    ]) {
      const envelope = mustFail(await start(run).outcome).toEnvelope();
      expect(envelope.error).to.equal('Tool execution failed: cannot open [path]');
      expect(envelope).to.include({ error_type: 'ToolExecutionError', error_code: -32005 });
      expect(envelope.error_details).to.deep.equal({ correlation_id: 'call-1' });
      expect(envelope).not.to.have.property('exception_message');
    }
  });

  it('takes even a thrown text for a fault', async () => {
    const { outcome } = start(() => Promise.reject('plain words'));
    expect(mustFail(await outcome).error.message).to.equal('Tool execution failed: plain words');
  });

  it('leaves no timer behind when the handler answers in time', async () => {
    const { outcome, cancellation } = start(async () => Result.ok(ToolResult.text('x')), { timeoutMs: 10 });
    expect(textOf(mustValue(await outcome))).to.equal('x');
    await new Promise((resolve) => setTimeout(resolve, 25));
    expect(cancellation.reason).to.equal(undefined);
  });

  it('S1-14: makes a returned value the envelope of a structured tool', async () => {
    const result = mustValue(await start(() => Result.ok({ n: 1 }, { message: 'm' }), {}, true).outcome);
    expect(result.structured).to.deep.equal({
      success: true,
      status: 'success',
      value: { n: 1 },
      message: 'm',
    });
  });
});
