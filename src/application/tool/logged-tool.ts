import type { PermissionRequest } from '../../domain/permission/policy/permission-request.js';
import { asError, isThenable } from '../../domain/thrown.js';
import { previewArguments } from '../../domain/tool/argument-preview.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { CallBudget } from '../call/call-budget.js';
import type { ArgumentValues, RunnableTool, ToolOutcome } from '../call/runnable-tool.js';
import type { ShowAnswer } from '../call/shown-answer.js';
import type { ToolContext } from '../call/tool-context.js';
import type { Logger } from '../ports/system/logger.js';
import { readOutcome } from './handler-outcome.js';

/** Logs every run. Success is DEBUG for a handler that answered at once, TRACE for one that returned a promise. */
export class LoggedTool implements RunnableTool {
  readonly #called: string;
  readonly #completed: string;

  constructor(
    private readonly inner: RunnableTool,
    private readonly logger: Logger,
  ) {
    this.#called = `Tool called: ${inner.tool.name}`;
    this.#completed = `Tool ${inner.tool.name} completed successfully`;
  }

  get tool(): Tool {
    return this.inner.tool;
  }

  get budget(): Partial<CallBudget> {
    return this.inner.budget;
  }

  get show(): ShowAnswer | undefined {
    return this.inner.show;
  }

  get underPolicy(): RunnableTool['underPolicy'] {
    return this.inner.underPolicy;
  }

  get sessionBound(): boolean | undefined {
    return this.inner.sessionBound;
  }

  permissions(args: ArgumentValues): readonly PermissionRequest[] {
    return this.inner.permissions(args);
  }

  run(args: ArgumentValues, context: ToolContext): ToolOutcome | Promise<ToolOutcome> {
    const { correlationId } = context;
    if (this.logger.enabled('trace')) {
      this.logger.trace(this.#called, { correlationId, arguments: previewArguments(args) });
    }
    try {
      const outcome = this.inner.run(args, context);
      if (!isThenable(outcome)) return this.#answered(outcome, 'debug', correlationId);
      return Promise.resolve(outcome)
        .then((settled) => this.#answered(settled, 'trace', correlationId))
        .catch((error: unknown) => this.#threw(error, context));
    } catch (error) {
      return this.#threw(error, context);
    }
  }

  #answered(returned: unknown, level: 'debug' | 'trace', correlationId: string): ToolOutcome {
    const outcome = readOutcome(returned);
    if (outcome.success) this.logger[level](this.#completed, { correlationId });
    else this.logger.debug(`Tool ${this.tool.name} refused: ${outcome.error.message}`, { correlationId });
    return outcome;
  }

  #threw(thrown: unknown, { correlationId, aborted }: ToolContext): never {
    const error = asError(thrown);
    // A handler that gives up because its call was stopped has no fault.
    if (aborted && error.name === 'AbortError')
      this.logger.debug(`Tool ${this.tool.name} was stopped`, { correlationId });
    else this.logger.error(`Tool ${this.tool.name} failed: ${error.message}`, { correlationId, error });
    throw thrown;
  }
}
