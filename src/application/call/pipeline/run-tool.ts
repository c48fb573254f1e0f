import { inject, injectable } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolResult } from '../../../domain/tool/tool-result.js';
import { Logger } from '../../ports/system/logger.js';
import { CallGate } from '../../ports/tool/call-gate.js';
import { CircuitBreakers } from '../../ports/tool/circuit-breakers.js';
import { ToolSandbox } from '../../ports/tool/tool-sandbox.js';
import type { CallBudget } from '../call-budget.js';
import type { CallScope } from '../call-scope.js';
import type { ArgumentValues, RunnableTool } from '../runnable-tool.js';
import { RunLog } from './run-log.js';

/** Runs an accepted call: with rate and concurrency limits, the tool's circuit breaker, and the sandbox. */
@injectable()
export class RunTool {
  constructor(
    @inject(CallGate) private readonly gate: CallGate,
    @inject(CircuitBreakers) private readonly breakers: CircuitBreakers,
    @inject(ToolSandbox) private readonly sandbox: ToolSandbox,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  async run(
    tool: RunnableTool,
    args: ArgumentValues,
    scope: CallScope,
    budget: CallBudget,
    isLogged = true,
  ): Promise<Result<ToolResult, ToolError>> {
    const { name } = tool.tool;
    const slot = await this.gate.enter(scope.caller.id, name, budget, scope.cancellation);
    if (!slot.success) return slot;
    try {
      const log = isLogged ? new RunLog(name, scope, this.logger) : undefined;
      return await this.breakers.guard(name, budget, () => this.sandbox.run(tool, args, scope, budget, log));
    } finally {
      slot.value.release();
    }
  }
}
