import { inject, injectable } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolContext } from '../../call/tool-context.js';
import { Timer } from '../../ports/system/timer.js';
import { BackgroundProcesses } from './background-processes.js';
import { type ProcessReport, processReport, unknownProcess } from './process-report.js';

const ENDS_WITHIN_MS = 10_000;
const SHOWN_LINES = 20;

export interface StopProcessCommand {
  readonly process_id: string;
}

/** Stops a process with everything it started. */
@injectable()
export class StopProcessHandler {
  constructor(
    @inject(BackgroundProcesses) private readonly processes: BackgroundProcesses,
    @inject(Timer) private readonly timer: Timer,
  ) {}

  async handle(
    { process_id: id }: StopProcessCommand,
    context: Pick<ToolContext, 'session' | 'signal' | 'grant'>,
  ): Promise<Result<ProcessReport, ToolError>> {
    const process = this.processes.find(id, context);
    if (process === undefined) return unknownProcess(id);
    process.stop();
    await process.until(() => process.outcome !== undefined, ENDS_WITHIN_MS, this.timer, context.signal);
    const from = Math.max(process.shown, process.output.lastLines(SHOWN_LINES));
    return processReport(process, from, context.grant.obligations);
  }
}
