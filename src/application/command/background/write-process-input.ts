import { inject, injectable } from 'inversify';
import { Result } from '../../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import type { ToolContext } from '../../call/tool-context.js';
import { BackgroundProcesses } from './background-processes.js';
import { type ProcessState, stateOf, unknownProcess } from './process-report.js';

export interface WriteProcessInputCommand {
  readonly process_id: string;
  readonly text?: string;
  readonly close?: boolean;
}

/** Types to a process. */
@injectable()
export class WriteProcessInputHandler {
  constructor(@inject(BackgroundProcesses) private readonly processes: BackgroundProcesses) {}

  handle(
    { process_id: id, text = '', close = false }: WriteProcessInputCommand,
    context: Pick<ToolContext, 'session'>,
  ): Result<{ process_id: string; state: ProcessState; cursor: number }, ToolError> {
    const process = this.processes.find(id, context);
    if (process === undefined) return unknownProcess(id);
    const { input, output } = process;
    const cursor = output.end;
    if (input === undefined) return unread(process.outcome === undefined ? CLOSED : ENDED);
    if (text !== '' && !input.write(text)) return unread(FULL);
    if (close) input.close();
    return Result.ok(
      { process_id: id, state: stateOf(process), cursor },
      {
        instruction: `Read what it answers: process_output {"process_id":"${id}","cursor":${cursor},"wait":5}.`,
      },
    );
  }
}

const CLOSED =
  'Its input was closed when it started. Start the command with background: true to be able to type to it.';
const ENDED = 'The process has ended. process_output shows how.';
const FULL =
  'Nothing was written: the process has closed its input, or has not read what was typed before. Read its output, and try again.';

function unread(message: string): Result<never, ToolError> {
  return toolFailure(executionFailed(message));
}
