import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Cancellation } from '../../../../src/application/call/cancellation.js';
import type { ToolContext } from '../../../../src/application/call/tool-context.js';
import { Result } from '../../../../src/domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../../../src/domain/tool/tool-error.js';
import { closedObjectSchema } from '../../../../src/domain/tool/tool-input-schema.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import { NO_LIMITS, Pipeline } from '../../../support/pipeline.js';
import { mustFail, mustValue, runnable, textOf, toolName } from '../../../support/sample-tool.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const needsPath = closedObjectSchema({ path: { type: 'string', minLength: 1 } }, ['path']);

describe('ExecuteToolHandler', () => {
  it('S4-16: takes a session, a tool name and arguments', async () => {
    const pipeline = new Pipeline([runnable({}, (args) => Result.ok(ToolResult.text(`got ${args.text}`)))]);
    const command = { sessionId: 's', toolName: 'sample', arguments: { text: 'hi' } };
    expect(textOf(mustValue(await pipeline.handler.handle(command)))).to.equal('got hi');
  });

  it('S4-18: finds, then asks whether it is enabled, then validates, then runs', async () => {
    let runs = 0;
    const tool = runnable({ name: 'read', inputSchema: needsPath }, () => {
      runs += 1;
      return Result.ok(ToolResult.empty());
    });
    const pipeline = new Pipeline([tool]);
    const kindOf = async (name: string, args: unknown) => mustFail(await pipeline.call(name, args)).errorType;
    tool.tool.disable();
    expect(await kindOf('unknown', {})).to.equal('ToolNotFoundError');
    expect(await kindOf('read', {})).to.equal('ToolDisabledError');
    tool.tool.enable();
    expect(await kindOf('read', {})).to.equal('ToolValidationError');
    expect(runs).to.equal(0);
    expect((await pipeline.call('read', { path: 'x' })).success).to.equal(true);
    expect(runs).to.equal(1);
  });

  it('S3-14, S1-20: arguments are validated before the handler, and every problem is told', async () => {
    const schema = closedObjectSchema({ path: { type: 'string' }, limit: { type: 'integer' } }, ['path']);
    const pipeline = new Pipeline([
      runnable({ inputSchema: schema }, () => {
        throw new Error('the handler must not run');
      }),
    ]);
    const { error_details } = mustFail(await pipeline.call('sample', { limit: 'x', other: 1 })).toEnvelope();
    const problems = error_details?.problems as readonly { parameter_name: string }[];
    expect(problems.map((each) => each.parameter_name)).to.have.members(['path', 'limit', 'other']);
  });

  it('takes each step of a call with long arguments in a turn of its own', async () => {
    const steps: string[] = [];
    const turns = { take: async () => void steps.push('turn') };
    const tool = runnable({ hints: { readOnly: false } }, () => {
      steps.push('run');
      return Result.ok(ToolResult.empty());
    });
    const pipeline = new Pipeline([tool], {}, '', turns);
    const onOutcome = async () => void steps.push('answer');
    await pipeline.call('sample', { text: 'x'.repeat(1_000) }, { onOutcome });
    expect(steps.splice(0), 'a short one').to.deep.equal(['run', 'answer']);
    await pipeline.call('sample', { text: 'x'.repeat(100_000) }, { onOutcome });
    // Before its size is counted, it is validated, decided on, recorded and run; then before the answer and the record.
    const long = [...Array<string>(5).fill('turn'), 'run', 'turn', 'answer', 'turn'];
    expect(steps.splice(0), 'a long one').to.deep.equal(long);
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, 1]));
    await pipeline.call('sample', many, { onOutcome });
    expect(steps, 'many members').to.deep.equal(['turn', 'turn', 'turn', 'turn', 'answer', 'turn']);
  });

  it('gives the handler its context: caller, session, id, meta and signal', async () => {
    const seen: ToolContext[] = [];
    const pipeline = new Pipeline([
      runnable({}, (_args, context) => {
        seen.push(context);
        return Result.ok(ToolResult.empty());
      }),
    ]);
    await pipeline.call('sample', {}, { meta: { traceparent: 't' } });
    const [context] = seen;
    expect(context?.session).to.equal(pipeline.session);
    expect(context?.caller).to.equal(pipeline.session.caller);
    expect(context?.correlationId).to.equal('id-1');
    expect(context?.meta).to.deep.equal({ traceparent: 't' });
    expect(context?.signal.aborted).to.equal(false);
  });

  it('records who asked for a tool that is not there, or that the caller may not see', async () => {
    const pipeline = new Pipeline([runnable({ name: 'read' })]);
    pipeline.session.hideTool(toolName('read'));
    await pipeline.call('read', {});
    await pipeline.call('x'.repeat(500), {});
    const { id, caller: asking } = pipeline.session;
    const caller = { ...asking, name: asking.id };
    expect(pipeline.audit.outcomes.map(({ call }) => [call.sessionId, call.caller, call.tool])).to.deep.equal(
      [
        [id, caller, 'read'],
        [id, caller, 'x'.repeat(100)],
      ],
    );
  });

  it('tells the outcome before it is audited, and is done when it is', async () => {
    const pipeline = new Pipeline([runnable({}, () => Result.ok(ToolResult.text('done')))]);
    const recorded = () => [
      pipeline.audit.outcomes.length,
      pipeline.statistics.of('sample')?.invocations ?? 0,
    ];
    const told: unknown[] = [];
    const outcome = await pipeline.call(
      'sample',
      {},
      {
        onOutcome: async (early) => {
          told.push(early, recorded());
        },
      },
    );
    expect(told).to.deep.equal([outcome, [0, 0]]);
    expect(recorded()).to.deep.equal([1, 1]);
  });

  it('answers no more calls than can be recorded', async () => {
    const pipeline = new Pipeline([runnable({}, () => Result.ok(ToolResult.text('done')))]);
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    Object.assign(pipeline.audit, { room: () => opened });
    let told = 0;
    const onOutcome = async () => {
      told += 1;
    };
    const calls = Promise.all(Array.from({ length: 3 }, () => pipeline.call('sample', {}, { onOutcome })));
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).to.equal(0);
    open();
    await calls;
    expect(told).to.equal(3);
  });

  it('tells a failure, and a fault of the pipeline, as it tells a success', async () => {
    const pipeline = new Pipeline([]);
    const told: string[] = [];
    const onOutcome = async (outcome: Result<ToolResult, ToolError>) => {
      told.push(mustFail(outcome).errorType ?? '');
    };
    await pipeline.call('nobody', {}, { onOutcome });
    pipeline.policies.current = () => {
      throw new Error('broken');
    };
    await pipeline.call('nobody', {}, { onOutcome });
    expect(told).to.deep.equal(['ToolNotFoundError', 'InternalError']);
  });

  it('has a call in the books although nobody could be told, and counts only its own time', async () => {
    const pipeline = new Pipeline([runnable({}, () => Result.ok(ToolResult.text('done')))]);
    const onOutcome = () => {
      pipeline.clock.advance(1000);
      return Promise.reject(new Error('gone'));
    };
    const told = pipeline.call('sample', {}, { onOutcome });
    expect(await told.then(String, (error: Error) => error.message)).to.equal('gone');
    expect(pipeline.audit.outcomes.map(({ outcome }) => outcome)).to.deep.equal([
      { kind: 'success', durationMs: 0, bytes: 4 },
    ]);
    expect(pipeline.statistics.of('sample')).to.include({ invocations: 1, total_ms: 0 });
  });

  it('S3-43: makes a fault of the pipeline an internal error and serves on', async () => {
    const broken = { ...runnable({ name: 'broken' }), budget: {} };
    Object.defineProperty(broken, 'budget', {
      get() {
        throw new Error('bug');
      },
    });
    const pipeline = new Pipeline([broken, runnable()]);
    expect(mustFail(await pipeline.call('broken')).toEnvelope()).to.include({ error_code: -32603 });
    expect((await pipeline.call('sample')).success).to.equal(true);
  });

  it('a cancelled call ends as cancelled, and its handler knows', async () => {
    let signal: AbortSignal | undefined;
    const pipeline = new Pipeline([
      runnable({}, (_args, context) => {
        signal = context.signal;
        return new Promise(() => {});
      }),
    ]);
    const cancellation = new Cancellation();
    const running = pipeline.call('sample', {}, { cancellation });
    while (signal === undefined) await new Promise((resolve) => setImmediate(resolve));
    cancellation.cancel('caller');
    expect(mustFail(await running).error.kind).to.equal('cancelled');
    expect(signal.aborted).to.equal(true);
  });

  it('S3-10: calls run at once, each with its own context and its own time', async () => {
    const contexts = new Set<ToolContext>();
    let allRun = (): void => undefined;
    const all = new Promise<void>((resolve) => {
      allRun = resolve;
    });
    const pipeline = new Pipeline([
      runnable({ name: 'quick' }, async (_args, context) => {
        contexts.add(context);
        if (contexts.size === 8) allRun();
        await all;
        return Result.ok(ToolResult.text('quick'));
      }),
      runnable({ name: 'slow' }, () => new Promise(() => {}), { timeoutMs: 40 }),
    ]);
    const calls = [...Array(8).fill('quick'), 'slow'].map((name) => pipeline.call(name));
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(({ success }) => success)).to.deep.equal([...Array(8).fill(true), false]);
    expect(contexts.size).to.equal(8);
    expect(mustFail(outcomes[8] ?? Result.ok(undefined)).errorType).to.equal('ToolTimeoutError');
  });

  it('S3-10: every one of ten thousand calls over a slow tool is answered, never too many at once', async () => {
    const total = LONG ? 10_000 : 1_000;
    let running = 0;
    let most = 0;
    let ran = 0;
    const pipeline = new Pipeline(
      [
        runnable({}, async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 2));
          running -= 1;
          ran += 1;
          return Result.ok(ToolResult.text('done'));
        }),
      ],
      { concurrency: 8, rate: { limit: 1e9, perMs: 1, burst: 1e9 } },
    );
    const outcomes = await Promise.all(Array.from({ length: total }, () => pipeline.call('sample')));
    expect(outcomes).to.have.length(total);
    expect(most).to.equal(8);
    const reasons = new Set(
      outcomes.flatMap((each) => (each.success ? [] : [each.toEnvelope().error_details?.reason])),
    );
    expect([...reasons]).to.deep.equal(['BUSY']);
    expect(outcomes.filter(({ success }) => success)).to.have.length(ran);
    expect(pipeline.statistics.of('sample')).to.include({ invocations: total, failures: total - ran });
  });

  it('S3-22: the statistics agree exactly with a thousand mixed calls', async () => {
    const outcomes = {
      good: () => Result.ok(ToolResult.text('x')),
      bad: () => toolFailure(executionFailed('no')),
      thrower: () => {
        throw new Error('x');
      },
      late: () => new Promise<never>(() => {}),
    };
    const breaker = { failures: 100_000, openForMs: 1 };
    const tools = Object.entries(outcomes).map(([name, run]) =>
      runnable({ name }, run, { timeoutMs: 5, breaker }),
    );
    const pipeline = new Pipeline(tools, NO_LIMITS);
    const expected = new Map<string, Record<string, number>>();
    const count = (tool: string, kind: string) => {
      const row = expected.get(tool) ?? {};
      row[kind] = (row[kind] ?? 0) + 1;
      expected.set(tool, row);
    };
    const names = Object.keys(outcomes);
    const calls = Array.from({ length: 1000 }, (_, n) => {
      const name = names[(n * 7) % names.length] ?? 'good';
      const wrong = n % 5 === 0;
      const failure = { good: 'ok', bad: 'execution', thrower: 'execution', late: 'timeout' }[name] ?? 'ok';
      count(name, wrong ? 'invalid-input' : failure);
      return pipeline.call(name, wrong ? { wrong } : {});
    });
    await Promise.all([...calls, pipeline.call('nobody')]);
    expect([...pipeline.statistics.all().keys()]).to.have.members(names);
    for (const [name, { ok = 0, ...kinds }] of expected) {
      const failures = Object.values(kinds).reduce((sum, n) => sum + n, 0);
      const stats = pipeline.statistics.of(name);
      expect(stats).to.include({ invocations: ok + failures, failures, timeouts: kinds.timeout ?? 0 });
      expect(stats?.failures_by_kind).to.deep.equal(kinds);
    }
  });
});
