import { inject, injectable } from 'inversify';
import type { Result } from '../../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import type { ToolContext } from '../../call/tool-context.js';
import { Timer } from '../../ports/system/timer.js';
import { BackgroundProcesses } from './background-processes.js';
import { type ProcessReport, processReport, unknownProcess } from './process-report.js';
import { type WaitFor, waitForProcess } from './wait-for-process.js';

/** Seconds that a program has to reply. */
const DEFAULT_WAIT_S = 2;

export interface WriteProcessInputCommand {
  readonly process_id: string;
  readonly text?: string;
  readonly close?: boolean;
  readonly wait_for?: WaitFor;
  /** Seconds. */
  readonly wait?: number;
}

/** Sends input to a process, and returns what it printed since the last result. */
@injectable()
export class WriteProcessInputHandler {
  constructor(
    @inject(BackgroundProcesses) private readonly processes: BackgroundProcesses,
    @inject(Timer) private readonly timer: Timer,
  ) {}

  async handle(
    {
      process_id: id,
      text = '',
      close = false,
      wait_for: what = 'idle',
      wait = DEFAULT_WAIT_S,
    }: WriteProcessInputCommand,
    context: Pick<ToolContext, 'session' | 'signal' | 'grant'>,
  ): Promise<Result<ProcessReport, ToolError>> {
    const process = this.processes.find(id, context);
    if (process === undefined) return unknownProcess(id);
    const { input, output } = process;
    const seen = output.end;
    if (input === undefined) return unread(process.outcome === undefined ? CLOSED : ENDED);
    if (text !== '' && !input.write(text)) return unread(FULL);
    if (close) input.close();
    await waitForProcess(process, { what, seen, ms: wait * 1000 }, this.timer, context.signal);
    return processReport(process, process.shown, context.grant.obligations);
  }
}

const CLOSED = 'Its input was closed at the start. Start the command with background: true to send input.';
const ENDED = 'The process has ended. process_output shows how.';
const FULL =
  'Nothing was written: the process has closed its input, or has not read earlier input. Read its output, and try again.';

function unread(message: string): Result<never, ToolError> {
  return toolFailure(executionFailed(message));
}
