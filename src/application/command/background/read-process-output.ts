import { inject, injectable } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolContext } from '../../call/tool-context.js';
import { ReadBudget } from '../../file/read-budget.js';
import { Timer } from '../../ports/system/timer.js';
import { BackgroundProcesses } from './background-processes.js';
import { type ProcessReport, processReport, unknownProcess } from './process-report.js';
import { type WaitFor, waitForProcess } from './wait-for-process.js';

/** Seconds, for a caller who says what to wait for and not how long. */
const DEFAULT_WAIT_S = 30;

export interface ReadProcessOutputQuery {
  readonly process_id: string;
  /** Where to read; after what earlier answers have shown, if absent. */
  readonly cursor?: number;
  /** The last lines instead. */
  readonly tail?: number;
  readonly wait_for?: WaitFor;
  /** Seconds. */
  readonly wait?: number;
}

/** Shows what a process has printed, and whether it still runs. */
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
    // Another call may have shown something in the meantime.
    const from = tail === undefined ? (cursor ?? process.shown) : output.lastLines(tail);
    // Who reads by cursor wants all of it, part by part; else the end matters more than the middle.
    const tokens = context.asText && cursor !== undefined ? this.budget.tokens : undefined;
    return processReport(process, from, context.grant.obligations, tokens);
  }
}
