import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolResult } from '../../../domain/tool/tool-result.js';
import type { CallBudget } from '../../call/call-budget.js';
import type { CallScope } from '../../call/call-scope.js';
import type { ArgumentValues, RunnableTool, ToolOutcome } from '../../call/runnable-tool.js';

/** Receives the events of one handler run, including those after its call is over. */
export interface RunListener {
  called(args: ArgumentValues): void;
  /** `debug` if the handler returned synchronously, `trace` if it returned a promise. */
  answered(outcome: ToolOutcome, level: 'debug' | 'trace'): void;
  threw(thrown: unknown): void;
}

/**
 * Runs a handler within its limits: its signal is aborted when the time is over, a late result is dropped, an
 * oversized one is cut or refused, and an exception becomes a failure. `log` receives the events.
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
