import { inject, injectable } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolContext } from '../../call/tool-context.js';
import { Timer } from '../../ports/system/timer.js';
import { BackgroundProcesses } from './background-processes.js';
import { type ProcessReport, processReport, unknownProcess } from './process-report.js';

export interface ReadProcessOutputQuery {
  readonly process_id: string;
  /** Where the last page ended. */
  readonly cursor?: number;
  /** The last lines instead. */
  readonly tail?: number;
  /** Seconds to wait for something new. */
  readonly wait?: number;
}

/** Shows what a process has printed, and whether it still runs. */
@injectable()
export class ReadProcessOutputHandler {
  constructor(
    @inject(BackgroundProcesses) private readonly processes: BackgroundProcesses,
    @inject(Timer) private readonly timer: Timer,
  ) {}

  async handle(
    { process_id: id, cursor = 0, tail, wait = 0 }: ReadProcessOutputQuery,
    context: Pick<ToolContext, 'session' | 'signal' | 'grant'>,
  ): Promise<Result<ProcessReport, ToolError>> {
    const process = this.processes.find(id, context);
    if (process === undefined) return unknownProcess(id);
    const seen = tail === undefined ? cursor : process.output.end;
    const isNew = (): boolean => process.outcome !== undefined || process.output.end > seen;
    await process.until(isNew, wait * 1000, this.timer, context.signal);
    const from = tail === undefined ? cursor : process.output.lastLines(tail);
    return processReport(process, from, context.grant.obligations);
  }
}
