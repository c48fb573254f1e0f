import { inject, injectable } from 'inversify';
import type { Result } from '../../domain/result.js';
import { previewArguments } from '../../domain/tool/argument-preview.js';
import { internalFault, type ToolError, toolFailure, withToolContext } from '../../domain/tool/tool-error.js';
import type { ToolResult } from '../../domain/tool/tool-result.js';
import { Clock } from '../ports/clock.js';
import { IdSource } from '../ports/id-source.js';
import { Logger } from '../ports/logger.js';
import { ToolStatistics } from '../ports/tool-statistics.js';

/** One call's page in the books. */
export interface JournalEntry {
  readonly correlationId: string;
  readonly requested: string;
  readonly arguments: unknown;
  readonly startedAt: number;
  /** The canonical name, once the tool was found; calls to unknown names are not counted by name. */
  tool?: string;
}

/** Writes down every call, good or bad: statistics and log. */
@injectable()
export class CallJournal {
  constructor(
    @inject(ToolStatistics) private readonly statistics: ToolStatistics,
    @inject(Logger) private readonly logger: Logger,
    @inject(Clock) private readonly clock: Clock,
    @inject(IdSource) private readonly ids: IdSource,
  ) {}

  open(requested: string, args: unknown): JournalEntry {
    return { correlationId: this.ids.next(), requested, arguments: args, startedAt: this.clock.elapsed() };
  }

  close(entry: JournalEntry, outcome: Result<ToolResult, ToolError>): void {
    const failure = outcome.success ? undefined : outcome.error.kind;
    if (entry.tool !== undefined) {
      this.statistics.record(entry.tool, this.clock.elapsed() - entry.startedAt, failure);
    }
    if (!outcome.success && this.logger.enabled('debug')) {
      const name = entry.tool ?? entry.requested.slice(0, 100);
      const context = withToolContext(outcome.error, name, previewArguments(entry.arguments));
      this.logger.debug(`Call to ${name} failed: ${outcome.error.message}`, {
        correlationId: entry.correlationId,
        kind: context.kind,
        arguments: context.arguments,
      });
    }
  }

  /** A fault of the pipeline itself: the log has all of it, the caller only where to look. */
  fault(entry: JournalEntry, error: unknown): Result<ToolResult, ToolError> {
    this.logger.error(`Call to ${entry.tool ?? 'a tool'} broke the pipeline`, {
      correlationId: entry.correlationId,
      error,
    });
    return toolFailure(internalFault(entry.correlationId));
  }
}
