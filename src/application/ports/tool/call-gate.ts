import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolName } from '../../../domain/tool/tool-name.js';
import type { CallBudget } from '../../call/call-budget.js';
import type { Cancellation } from '../../call/cancellation.js';

/** A place among the calls under way; give it back exactly once. */
export interface CallSlot {
  release(): void;
}

/** Lets a call in, or says why not now and when to come again. */
export interface CallGate {
  /** Takes a token of the caller's rate, then waits its turn among the calls at once. */
  enter(
    caller: string,
    tool: ToolName,
    budget: CallBudget,
    cancellation: Cancellation,
  ): Promise<Result<CallSlot, ToolError>>;
  /** Calls of this process that run, and that wait for their turn. */
  load?(): { readonly running: number; readonly waiting: number };
}

export const CallGate: ServiceIdentifier<CallGate> = Symbol.for('castellan.CallGate');
