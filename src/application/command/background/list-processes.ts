import { inject, injectable } from 'inversify';
import { Result } from '../../../domain/result.js';
import type { ToolContext } from '../../call/tool-context.js';
import { BackgroundProcesses } from './background-processes.js';
import { type ProcessState, stateOf } from './process-report.js';

const SHOWN_OF_COMMAND = 200;

export interface ListedProcess {
  readonly process_id: string;
  readonly command: string;
  readonly state: ProcessState;
  readonly exit_code?: number;
  readonly duration_ms: number;
  readonly output_bytes: number;
}

/** Lists the processes of a session, including those that ended recently. */
@injectable()
export class ListProcessesHandler {
  constructor(@inject(BackgroundProcesses) private readonly processes: BackgroundProcesses) {}

  handle(context: Pick<ToolContext, 'session'>): Result<readonly ListedProcess[]> {
    return Result.ok(
      this.processes.list(context).map((process) => {
        const exitCode = process.outcome?.success ? process.outcome.value.exit_code : undefined;
        return {
          process_id: process.facts.id,
          command: process.facts.command.slice(0, SHOWN_OF_COMMAND),
          state: stateOf(process),
          ...(exitCode !== undefined && { exit_code: exitCode }),
          duration_ms: process.runningMs,
          output_bytes: process.output.end,
        };
      }),
    );
  }
}
