import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolName } from '../../../domain/tool/tool-name.js';
import type { CallBudget } from '../../call/call-budget.js';

export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * One circuit breaker per tool. It opens after faults of the tool itself, never after a caller's mistakes.
 */
export interface CircuitBreakers {
  guard<T>(
    tool: ToolName,
    budget: CallBudget,
    run: () => Promise<Result<T, ToolError>>,
  ): Promise<Result<T, ToolError>>;
  state(tool: ToolName): BreakerState;
}

export const CircuitBreakers: ServiceIdentifier<CircuitBreakers> = Symbol.for('castellan.CircuitBreakers');
