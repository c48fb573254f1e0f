import { expect } from 'chai';
import { describe, it } from 'mocha';
import { DEFAULT_BUDGET } from '../../../../src/application/call/call-budget.js';
import { CallScope } from '../../../../src/application/call/call-scope.js';
import { Cancellation } from '../../../../src/application/call/cancellation.js';
import { RunTool } from '../../../../src/application/call/pipeline/run-tool.js';
import { SILENT_CHANNEL } from '../../../../src/application/call/tool-context.js';
import type { CallGate } from '../../../../src/application/ports/tool/call-gate.js';
import type { CircuitBreakers } from '../../../../src/application/ports/tool/circuit-breakers.js';
import type { ToolSandbox } from '../../../../src/application/ports/tool/tool-sandbox.js';
import { Result } from '../../../../src/domain/result.js';
import { LOCAL_EMBEDDED } from '../../../../src/domain/session/caller.js';
import { Session } from '../../../../src/domain/session/session.js';
import { toolFailure, toolUnavailable } from '../../../../src/domain/tool/tool-error.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import { RecordingLogger } from '../../../../src/testing/testing.js';
import { mustFail, runnable } from '../../../support/sample-tool.js';

function setUp(run: ToolSandbox['run']) {
  const steps: string[] = [];
  const gate: CallGate = {
    enter: async (caller, tool) => {
      steps.push(`enter ${caller} ${tool}`);
      return Result.ok({ release: () => steps.push('release') });
    },
  };
  const breakers: CircuitBreakers = {
    state: () => 'closed',
    guard: (tool, _budget, inner) => {
      steps.push(`guard ${tool}`);
      return inner();
    },
  };
  const sandbox: ToolSandbox = {
    run: (...args) => {
      steps.push('sandbox');
      return run(...args);
    },
  };
  return { steps, gate, breakers, sandbox };
}

const scope = new CallScope(Session.create('s', LOCAL_EMBEDDED), 'c', {}, new Cancellation(), SILENT_CHANNEL);
const tool = runnable();

describe('RunTool', () => {
  it('S4-24: a gate, a breaker and a sandbox stand between the command and the tool', async () => {
    const { steps, gate, breakers, sandbox } = setUp(async () => Result.ok(ToolResult.empty()));
    const outcome = await new RunTool(gate, breakers, sandbox, new RecordingLogger()).run(
      tool,
      {},
      scope,
      DEFAULT_BUDGET,
    );
    expect(outcome.success).to.equal(true);
    expect(steps).to.deep.equal(['enter local sample', 'guard sample', 'sandbox', 'release']);
  });

  it('gives the place back when the sandbox itself breaks', async () => {
    const { steps, gate, breakers, sandbox } = setUp(() => Promise.reject(new Error('broken')));
    const caught = await new RunTool(gate, breakers, sandbox, new RecordingLogger())
      .run(tool, {}, scope, DEFAULT_BUDGET)
      .catch((error: unknown) => error);
    expect(caught).to.be.instanceOf(Error);
    expect(steps.at(-1)).to.equal('release');
  });

  it('runs nothing when the gate refuses', async () => {
    const { steps, breakers, sandbox } = setUp(async () => Result.ok(ToolResult.empty()));
    const gate: CallGate = { enter: async () => toolFailure(toolUnavailable('BUSY', 'later', 5)) };
    const outcome = await new RunTool(gate, breakers, sandbox, new RecordingLogger()).run(
      tool,
      {},
      scope,
      DEFAULT_BUDGET,
    );
    expect(mustFail(outcome).error).to.include({ kind: 'unavailable', retryAfterMs: 5 });
    expect(steps).to.deep.equal([]);
  });
});
