import { inject, injectable } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolContext } from '../../call/tool-context.js';
import { ReadBudget } from '../../file/read-budget.js';
import { Timer } from '../../ports/system/timer.js';
import { BackgroundProcesses } from './background-processes.js';
import { type ProcessReport, processReport, unknownProcess } from './process-report.js';
import { type WaitFor, waitForProcess } from './wait-for-process.js';

/** Seconds, if a caller says what to wait for and not how long. */
const DEFAULT_WAIT_S = 30;

export interface ReadProcessOutputQuery {
  readonly process_id: string;
  /** Where to start (default: after what earlier results returned). */
  readonly cursor?: number;
  /** Return the last lines instead. */
  readonly tail?: number;
  readonly wait_for?: WaitFor;
  /** Seconds. */
  readonly wait?: number;
}

/** Returns what a process has printed, and whether it is still running. */
@injectable()
export class ReadProcessOutputHandler {
  constructor(
    @inject(BackgroundProcesses) private readonly processes: BackgroundProcesses,
    @inject(Timer) private readonly timer: Timer,
    @inject(ReadBudget) private readonly budget: Pick<ReadBudget, 'tokens'>,
  ) {}

  async handle(
    { process_id: id, cursor, tail, wait_for: what, wait }: ReadProcessOutputQuery,
    context: Pick<ToolContext, 'session' | 'signal' | 'grant' | 'asText'>,
  ): Promise<Result<ProcessReport, ToolError>> {
    const process = this.processes.find(id, context);
    if (process === undefined) return unknownProcess(id);
    const { output } = process;
    const seconds = wait ?? (what === undefined ? 0 : DEFAULT_WAIT_S);
    const seen = tail === undefined ? (cursor ?? process.shown) : output.end;
    await waitForProcess(process, { what, seen, ms: seconds * 1000 }, this.timer, context.signal);
    // Another call may have returned something in the meantime.
    const from = tail === undefined ? (cursor ?? process.shown) : output.lastLines(tail);
    // A caller that reads by cursor wants every part; otherwise the end matters more than the middle.
    const tokens = context.asText && cursor !== undefined ? this.budget.tokens : undefined;
    return processReport(process, from, context.grant.obligations, tokens);
  }
}
