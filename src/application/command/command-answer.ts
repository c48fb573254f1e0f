import type { Obligations } from '../../domain/permission/policy/obligations.js';
import { Result, type SuccessNotes } from '../../domain/result.js';
import { type ToolError, toolFailure, toolTimedOut } from '../../domain/tool/tool-error.js';
import type { CommandSideEffects } from '../ports/command/command-runner.js';
import type { CommandOutcome } from '../ports/command/command-sandbox.js';
import { COMMAND_OUTPUT_BYTES, type TimeLimit } from './command-limits.js';

/** No program exits with this code. */
export const STILL_RUNNING = -1;

/** The result of execute_command. */
export interface CommandAnswer {
  /** STILL_RUNNING while the command is running. */
  readonly exit_code: number;
  /** Set while the command is running: the id to read its output with. */
  readonly process_id?: string;
  readonly cursor?: number;
  /** Set if the output may be too long for a result: process_output reads all of it again with this id. */
  readonly output_id?: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly duration_ms: number;
  readonly truncated: boolean;
  readonly sandbox: string;
}

const NO_TRACES: CommandSideEffects = { appeared: [], quarantined: [], findings: [] };

/** Space for the envelope, the other fields and the notes. */
export const ROOM_FOR_THE_REST = 4_096;
const MAX_PATHS = 10;

export function commandAnswer(
  outcome: CommandOutcome,
  saved: { readonly path: string; readonly bytes: number } | undefined,
  { limits }: Obligations,
  traces: CommandSideEffects = NO_TRACES,
  outputId?: string,
): Result<CommandAnswer, ToolError> {
  const { exitCode, durationMs, sandbox } = outcome;
  const output = fitted(outcome, (limits.maxOutputBytes ?? COMMAND_OUTPUT_BYTES) - ROOM_FOR_THE_REST);
  const kept = saved === undefined && outputId !== undefined ? { output_id: outputId } : {};
  const answer = { exit_code: exitCode, ...kept, ...output, duration_ms: durationMs, sandbox };
  return Result.ok(
    answer,
    notesOf(outcome, traces, output.truncated ? wholeOutput(kept.output_id) : '', saved),
  );
}

function notesOf(
  { signal, hint }: CommandOutcome,
  traces: CommandSideEffects,
  rest: string,
  saved: { readonly path: string; readonly bytes: number } | undefined,
): SuccessNotes {
  const warning = warningOf(traces);
  const instructions = [
    signal === undefined ? undefined : `The command was killed by ${signal}.`,
    hint,
    warning && TELL,
    saved && `The whole output, ${saved.bytes} bytes, is in ${saved.path}.`,
    saved === undefined ? rest : undefined,
  ].filter((part) => part !== undefined && part !== '');
  return {
    ...(warning !== undefined && { message: warning }),
    ...(instructions.length > 0 && { instruction: instructions.join(' ') }),
  };
}

/** How to get what was cut from an output. */
export function wholeOutput(outputId: string | undefined, cursor = 0): string {
  const read =
    outputId === undefined
      ? 'use save_output and read that file in parts'
      : `read it in parts with process_output {"process_id":"${outputId}","cursor":${cursor}}`;
  return `The middle of the output was cut: ${read}, or filter it with grep, head or tail.`;
}

export const TELL = 'Tell the user about the protected files that the command created.';

export function warningOf({ appeared, quarantined, findings }: CommandSideEffects): string | undefined {
  const made = `The command created ${listed(appeared)}, which other programs execute or follow later.`;
  const taken = quarantined.map(({ path, moved }) => `${path} (kept as ${moved})`);
  const removed = `The command created ${listed(taken)}. Only the user may create the server's policy, settings and flags, so it was moved to quarantine in the state directory and had no effect.`;
  const parts = [
    ...(appeared.length > 0 ? [made] : []),
    ...(taken.length > 0 ? [removed] : []),
    ...findings.slice(0, MAX_PATHS),
    ...(findings.length > MAX_PATHS ? [`${findings.length - MAX_PATHS} more files were removed.`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Enough names to know where to look. */
function listed(paths: readonly string[]): string {
  const more = paths.length - MAX_PATHS;
  return paths.slice(0, MAX_PATHS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

type Output = Pick<CommandAnswer, 'stdout' | 'stderr' | 'truncated'>;

/** Control characters take six times the space in a result: what would not fit is cut again. */
function fitted({ stdout, stderr, truncated }: CommandOutcome, maxBytes: number): Output {
  let output: Output = { stdout, stderr, truncated };
  let share = maxBytes;
  while (share > 64 && encodedBytes(output.stdout) + encodedBytes(output.stderr) > maxBytes) {
    output = { stdout: cutMiddle(stdout, share), stderr: cutMiddle(stderr, share), truncated: true };
    share = Math.floor(share / 2);
  }
  return output;
}

function encodedBytes(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

function cutMiddle(text: string, kept: number): string {
  if (text.length <= kept) return text;
  const half = Math.floor(kept / 2);
  const [head, tail] = [text.slice(0, half), text.slice(-half)];
  // A cut may have left half a surrogate pair.
  const whole = (part: string): string => part.replace(/\p{Surrogate}/gu, '');
  return `${whole(head)}\n[… ${text.length - 2 * half} characters cut …]\n${whole(tail)}`;
}

/** Who set the time limit of a command. */
export interface CommandTime {
  /** True if the policy would have allowed more. */
  readonly chosenByCaller?: boolean;
  /** The policy's limit, if the caller asked for more. */
  readonly loweredTo?: TimeLimit;
}

/** Adds the output so far to a timeout, and to any failure what the command created. */
export function commandFailure(
  error: ToolError,
  { chosenByCaller = false, loweredTo }: CommandTime,
  traces: CommandSideEffects = NO_TRACES,
): Result<never, ToolError> {
  const warning = warningOf(traces);
  const told = warning === undefined ? '' : ` ${warning} ${TELL}`;
  if (error.kind !== 'timeout')
    return toolFailure(told === '' ? error : { ...error, message: `${error.message}${told}` });
  const lowered =
    loweredTo === undefined
      ? ''
      : ` The policy's limit is ${loweredTo.ms / 1000} s; the user changes execute_command.${loweredTo.setting}.`;
  const message = `Command timed out after ${error.timeoutMs / 1000}s. ${error.message}${lowered}${told}`;
  return toolFailure({
    ...toolTimedOut(error.timeoutMs, message),
    ...(chosenByCaller && { chosenByCaller }),
  });
}
