import { inject, injectable } from 'inversify';
import type { CallBudget } from '../../application/call/call-budget.js';
import type { CallScope } from '../../application/call/call-scope.js';
import type { CancelReason } from '../../application/call/cancellation.js';
import { readOutcome } from '../../application/call/handler-outcome.js';
import type { ArgumentValues, RunnableTool, ToolOutcome } from '../../application/call/runnable-tool.js';
import { Redactor } from '../../application/ports/audit/redactor.js';
import type { RunListener, ToolSandbox } from '../../application/ports/tool/tool-sandbox.js';
import { Failure, type Result } from '../../domain/result.js';
import { asError, isThenable } from '../../domain/thrown.js';
import {
  callCancelled,
  callStopped,
  executionFailed,
  type ToolError,
  toolFailure,
  toolTimedOut,
} from '../../domain/tool/tool-error.js';
import type { ToolResult } from '../../domain/tool/tool-result.js';
import { redactedError } from '../observability/redacting-logger.js';
import { fitAnswer } from './answer-size.js';
import { sanitiseMessage } from './sanitise-message.js';

/**
 * A handler that answers at once, or before the event loop turns, costs no timer. One that takes longer is raced
 * against its time and against cancellation; whichever comes first is the answer, and what comes later is dropped.
 */
@injectable()
export class InProcessToolSandbox implements ToolSandbox {
  constructor(@inject(Redactor) private readonly redactor: Redactor) {}

  async run(
    tool: RunnableTool,
    args: ArgumentValues,
    scope: CallScope,
    budget: CallBudget,
    log?: RunListener,
  ): Promise<Result<ToolResult, ToolError>> {
    if (scope.cancellation.reason !== undefined) return ended(scope.cancellation.reason, budget);
    try {
      const run = started(tool, args, scope, budget, log);
      const outcome = this.#withoutSecrets(run instanceof Promise ? await run : run);
      return fitAnswer(outcome, budget.maxOutputBytes, tool.tool.outputSchema !== undefined);
    } catch (error) {
      return this.#fault(error, scope.correlationId);
    }
  }

  /** A tool chooses the words of its failure itself, but not those of an exception that it passes on. */
  #withoutSecrets(outcome: ToolOutcome): ToolOutcome {
    if (outcome.success || outcome.notes.exception === undefined) return outcome;
    const { error, errorType, notes } = outcome;
    return new Failure(error, errorType, {
      ...notes,
      exception: redactedError(notes.exception, this.redactor),
    });
  }

  // Redacted before it is shortened: half of a secret matches no shape.
  #fault(thrown: unknown, correlationId: string) {
    const message = sanitiseMessage(this.redactor.text(asError(thrown).message));
    return toolFailure(executionFailed(`Tool execution failed: ${message}`, { correlationId }));
  }
}

/** The outcome of the handler, read once. The log hears of it even if it comes after the call is over. */
function started(
  tool: RunnableTool,
  args: ArgumentValues,
  scope: CallScope,
  budget: CallBudget,
  log: RunListener | undefined,
): ToolOutcome | Promise<ToolOutcome> {
  // Looking at what came back may run code of the tool: getters, toJSON() and the like.
  const read = (returned: unknown, level: 'debug' | 'trace') => {
    const outcome = readOutcome(returned);
    log?.answered(outcome, level);
    return outcome;
  };
  const failed = (error: unknown): never => {
    log?.threw(error);
    throw error;
  };
  log?.called(args);
  try {
    const returned: unknown = tool.run(args, scope);
    if (!isThenable(returned)) return read(returned, 'debug');
    const settled = Promise.resolve(returned).then((value) => read(value, 'trace'));
    return race(settled.catch(failed), scope, budget);
  } catch (error) {
    return failed(error);
  }
}

function race(
  started: Promise<ToolOutcome>,
  { cancellation }: CallScope,
  budget: CallBudget,
): Promise<ToolOutcome> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const turn = setImmediate(() => {
      timer = setTimeout(() => cancellation.cancel('timeout'), budget.timeoutMs + (budget.graceMs ?? 0));
    });
    const stopClock = () => {
      clearImmediate(turn);
      clearTimeout(timer);
    };
    cancellation.onCancel((reason) => {
      stopClock();
      resolve(ended(reason, budget));
    });
    const settle = () => {
      stopClock();
      cancellation.onCancel(undefined);
    };
    started.then(
      (outcome) => {
        settle();
        resolve(outcome);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}

function ended(reason: CancelReason, { timeoutMs }: CallBudget) {
  if (reason === 'operator') return toolFailure(callStopped());
  return toolFailure(reason === 'timeout' ? toolTimedOut(timeoutMs) : callCancelled());
}
