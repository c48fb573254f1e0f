import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolName } from '../../../domain/tool/tool-name.js';
import type { CallBudget } from '../../call/call-budget.js';
import type { Cancellation } from '../../call/cancellation.js';

/** A slot of a running call; release it exactly once. */
export interface CallSlot {
  release(): void;
}

/** Rate and concurrency limits: admits a call, or says why not and when to retry. */
export interface CallGate {
  /** Takes a token of the caller's rate, then waits for a concurrency slot. */
  enter(
    caller: string,
    tool: ToolName,
    budget: CallBudget,
    cancellation: Cancellation,
  ): Promise<Result<CallSlot, ToolError>>;
  /** The calls of this process that are running, and those waiting for a slot. */
  load?(): { readonly running: number; readonly waiting: number };
}

export const CallGate: ServiceIdentifier<CallGate> = Symbol.for('castellan.CallGate');
