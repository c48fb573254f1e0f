import { asError } from '../../../domain/thrown.js';
import { previewArguments } from '../../../domain/tool/argument-preview.js';
import type { Logger } from '../../ports/system/logger.js';
import type { RunListener } from '../../ports/tool/tool-sandbox.js';
import type { ArgumentValues, ToolOutcome } from '../runnable-tool.js';
import type { ToolContext } from '../tool-context.js';

/** Logs one run. A success is DEBUG if the handler returned synchronously, TRACE if it returned a promise. */
export class RunLog implements RunListener {
  constructor(
    private readonly name: string,
    private readonly context: ToolContext,
    private readonly logger: Logger,
  ) {}

  called(args: ArgumentValues): void {
    if (!this.logger.enabled('trace')) return;
    const { correlationId } = this.context;
    this.logger.trace(`Tool called: ${this.name}`, { correlationId, arguments: previewArguments(args) });
  }

  answered(outcome: ToolOutcome, level: 'debug' | 'trace'): void {
    const { correlationId, aborted } = this.context;
    // The caller already has a timeout, or has gone. This outcome is returned to nobody.
    if (aborted) this.logger.debug(`Tool ${this.name} ended after its call was over`, { correlationId });
    else if (outcome.success)
      this.logger[level](`Tool ${this.name} completed successfully`, { correlationId });
    else this.logger.debug(`Tool ${this.name} refused: ${outcome.error.message}`, { correlationId });
  }

  threw(thrown: unknown): void {
    const { correlationId, aborted } = this.context;
    const error = asError(thrown);
    // A handler that stops because its call was cancelled has not failed.
    if (aborted && error.name === 'AbortError')
      this.logger.debug(`Tool ${this.name} was stopped`, { correlationId });
    else this.logger.error(`Tool ${this.name} failed: ${error.message}`, { correlationId, error });
  }
}
