import { inject, injectable } from 'inversify';
import type { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import type { ToolResult } from '../../domain/tool/tool-result.js';
import { Logger } from '../ports/system/logger.js';
import { CallGate } from '../ports/tool/call-gate.js';
import { CircuitBreakers } from '../ports/tool/circuit-breakers.js';
import { ToolSandbox } from '../ports/tool/tool-sandbox.js';
import type { CallBudget } from './call-budget.js';
import type { CallScope } from './call-scope.js';
import { loggedTool } from './logged-tool.js';
import type { ArgumentValues, RunnableTool } from './runnable-tool.js';

/** Runs an accepted call: through the gate, behind the tool's breaker, inside the sandbox. */
@injectable()
export class RunTool {
  constructor(
    @inject(CallGate) private readonly gate: CallGate,
    @inject(CircuitBreakers) private readonly breakers: CircuitBreakers,
    @inject(ToolSandbox) private readonly sandbox: ToolSandbox,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  /** The run of a client's call: with its lines in the log. */
  runLogged(
    tool: RunnableTool,
    args: ArgumentValues,
    scope: CallScope,
    budget: CallBudget,
  ): Promise<Result<ToolResult, ToolError>> {
    return this.run(loggedTool(tool, this.logger), args, scope, budget);
  }

  async run(
    tool: RunnableTool,
    args: ArgumentValues,
    scope: CallScope,
    budget: CallBudget,
  ): Promise<Result<ToolResult, ToolError>> {
    const { name } = tool.tool;
    const slot = await this.gate.enter(scope.caller.id, name, budget, scope.cancellation);
    if (!slot.success) return slot;
    try {
      return await this.breakers.guard(name, budget, () => this.sandbox.run(tool, args, scope, budget));
    } finally {
      slot.value.release();
    }
  }
}
