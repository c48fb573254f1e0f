import { asError, isThenable } from '../../domain/thrown.js';
import { previewArguments } from '../../domain/tool/argument-preview.js';
import type { Logger } from '../ports/system/logger.js';
import { readOutcome } from './handler-outcome.js';
import type { ArgumentValues, RunnableTool, ToolOutcome } from './runnable-tool.js';
import type { ToolContext } from './tool-context.js';

/** The tool with its runs logged. A success is DEBUG if the handler answered at once, TRACE if it returned a promise. */
export function loggedTool(tool: RunnableTool, logger: Logger): RunnableTool {
  return {
    tool: tool.tool,
    budget: tool.budget,
    permissions: (args) => tool.permissions(args),
    run: (args, context) => runLogged(tool, args, context, logger),
  };
}

function runLogged(
  tool: RunnableTool,
  args: ArgumentValues,
  context: ToolContext,
  logger: Logger,
): ToolOutcome | Promise<ToolOutcome> {
  const log = new RunLog(tool.tool.name, context, logger);
  log.called(args);
  try {
    const outcome: unknown = tool.run(args, context);
    if (!isThenable(outcome)) return log.answered(outcome, 'debug');
    return Promise.resolve(outcome)
      .then((settled) => log.answered(settled, 'trace'))
      .catch((error: unknown) => log.threw(error));
  } catch (error) {
    return log.threw(error);
  }
}

class RunLog {
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

  answered(returned: unknown, level: 'debug' | 'trace'): ToolOutcome {
    const outcome = readOutcome(returned);
    const { correlationId, aborted } = this.context;
    // The caller has been answered: with a timeout, or not at all. Nobody sees this outcome.
    if (aborted) this.logger.debug(`Tool ${this.name} ended after its call was over`, { correlationId });
    else if (outcome.success)
      this.logger[level](`Tool ${this.name} completed successfully`, { correlationId });
    else this.logger.debug(`Tool ${this.name} refused: ${outcome.error.message}`, { correlationId });
    return outcome;
  }

  threw(thrown: unknown): never {
    const { correlationId, aborted } = this.context;
    const error = asError(thrown);
    // A handler that gives up because its call was stopped has not failed.
    if (aborted && error.name === 'AbortError')
      this.logger.debug(`Tool ${this.name} was stopped`, { correlationId });
    else this.logger.error(`Tool ${this.name} failed: ${error.message}`, { correlationId, error });
    throw thrown;
  }
}
