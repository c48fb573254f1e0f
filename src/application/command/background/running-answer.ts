import type { Obligations } from '../../../domain/permission/policy/obligations.js';
import { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { type CommandAnswer, ROOM_FOR_THE_REST, STILL_RUNNING } from '../command-answer.js';
import { COMMAND_OUTPUT_BYTES } from '../command-limits.js';
import type { BackgroundProcess } from './background-process.js';

/** Newlines, quotes and control characters take more space in a result than in the output. */
const SHARE_OF_ANSWER = 0.25;

/** How much output one result carries. */
export function pageBytes({ limits }: Obligations): number {
  const whole = (limits.maxOutputBytes ?? COMMAND_OUTPUT_BYTES) - ROOM_FOR_THE_REST;
  return Math.max(256, Math.floor(whole * SHARE_OF_ANSWER));
}

/** The result of a command that is still running. */
export function stillRunning(
  process: BackgroundProcess,
  obligations: Obligations,
): Result<CommandAnswer, ToolError> {
  const { id } = process.facts;
  const { text, cursor } = process.output.page(0, pageBytes(obligations), false);
  process.show(cursor);
  return Result.ok(
    {
      exit_code: STILL_RUNNING,
      process_id: id,
      cursor,
      stdout: text,
      stderr: '',
      duration_ms: process.runningMs,
      truncated: cursor < process.output.end,
      sandbox: 'the command is still running in its sandbox',
    },
    {
      instruction: `Still running. Continue with process_output {"process_id":"${id}","wait_for":"exit"}; stop it with stop_process. stdout has both streams so far.`,
    },
  );
}
