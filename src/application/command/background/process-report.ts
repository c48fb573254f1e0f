import type { Obligations } from '../../../domain/permission/policy/obligations.js';
import { Result, type SuccessNotes } from '../../../domain/result.js';
import { invalidInput, type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import { TELL, warningOf } from '../command-answer.js';
import type { BackgroundProcess } from './background-process.js';
import { pageBytes } from './running-answer.js';

export type ProcessState = 'running' | 'exited' | 'stopped' | 'failed';

/** The result of process_output and stop_process. */
export interface ProcessReport {
  readonly process_id: string;
  readonly state: ProcessState;
  readonly exit_code?: number;
  readonly output: string;
  readonly cursor: number;
  readonly skipped_bytes?: number;
  readonly duration_ms: number;
}

export function stateOf({ outcome, isStopped }: BackgroundProcess): ProcessState {
  if (outcome === undefined) return 'running';
  if (outcome.success) return 'exited';
  return isStopped ? 'stopped' : 'failed';
}

/** Returns a page of output, the state of the process, and notes about it. */
export async function processReport(
  process: BackgroundProcess,
  from: number,
  obligations: Obligations,
  maxTokens = Number.POSITIVE_INFINITY,
): Promise<Result<ProcessReport, ToolError>> {
  const traces = await process.newTraces();
  const state = stateOf(process);
  const { outcome, output, facts } = process;
  const { text, cursor, skipped } = output.fittingPage(
    from,
    pageBytes(obligations),
    outcome !== undefined,
    maxTokens,
  );
  const exitCode = outcome?.success ? outcome.value.exit_code : undefined;
  const report = {
    process_id: facts.id,
    state,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    output: text,
    cursor,
    ...(skipped > 0 && { skipped_bytes: skipped }),
    duration_ms: process.runningMs,
  };
  process.show(cursor);
  const warning = traces && warningOf(traces);
  return Result.ok(report, notesOf(process, report, warning));
}

function notesOf(
  process: BackgroundProcess,
  { cursor, process_id: id, skipped_bytes: skipped }: ProcessReport,
  warning: string | undefined,
): SuccessNotes {
  const { output, isStopped, savedOutput } = process;
  // How it ended is reported once; later results only have its state.
  const outcome = process.reportEnd() ? process.outcome : undefined;
  const failure = outcome?.success === false && !isStopped ? outcome.error.message : undefined;
  const ended = outcome?.success ? outcome : undefined;
  const message = [warning, ended?.notes.message, failure].filter((part) => part !== undefined).join(' ');
  const instruction = [
    warning && TELL,
    ended?.notes.instruction,
    outcome && savedOutput && `The whole output, ${savedOutput.bytes} bytes, is in ${savedOutput.path}.`,
    skipped === undefined
      ? undefined
      : `${skipped} bytes before this were not kept; use save_output to keep everything.`,
    cursor < output.end
      ? `There is more: process_output {"process_id":"${id}","cursor":${cursor}}.`
      : undefined,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  return { ...(message !== '' && { message }), ...(instruction !== '' && { instruction }) };
}

/** The same for an id of another caller and for one that never existed. */
export function unknownProcess(id: string): Result<never, ToolError> {
  return toolFailure(
    invalidInput([
      {
        parameter_name: 'process_id',
        issue: 'there is no such process in this session',
        expected: 'an id from execute_command or list_processes',
        received: id.slice(0, 100),
        hint: 'list_processes shows the existing processes.',
      },
    ]),
  );
}
