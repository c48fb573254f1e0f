import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolResult } from '../../../domain/tool/tool-result.js';
import type { CallBudget } from '../../call/call-budget.js';
import type { CallScope } from '../../call/call-scope.js';
import type { ArgumentValues, RunnableTool, ToolOutcome } from '../../call/runnable-tool.js';

/** Hears of one run of a handler, also of what comes after its call is over. */
export interface RunListener {
  called(args: ArgumentValues): void;
  /** `debug` if the handler answered at once, `trace` if it returned a promise. */
  answered(outcome: ToolOutcome, level: 'debug' | 'trace'): void;
  threw(thrown: unknown): void;
}

/**
 * Runs a handler under its budgets: it ends in time, its signal is aborted when it does not, a late result
 * is dropped, an answer over the limit is cut or refused, and a fault becomes a failure. `log` hears of the run.
 */
export interface ToolSandbox {
  run(
    tool: RunnableTool,
    args: ArgumentValues,
    scope: CallScope,
    budget: CallBudget,
    log?: RunListener,
  ): Promise<Result<ToolResult, ToolError>>;
}

export const ToolSandbox: ServiceIdentifier<ToolSandbox> = Symbol.for('castellan.ToolSandbox');
