import type { CommandOutcome, SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { type Failure, Result } from '../../../domain/result.js';
import {
  callCancelled,
  executionFailed,
  limitExceeded,
  type ToolError,
  toolFailure,
  toolTimedOut,
  toolUnavailable,
} from '../../../domain/tool/tool-error.js';
import { sanitiseMessage } from '../../tool/sanitise-message.js';
import { type CommandOutput, mebibytes, type ProcessEnding } from '../process/process-ending.js';

const SHOWN_OF_INTERRUPTED = 4_096;

export interface EndingNotes {
  readonly sandbox: string;
  readonly explain: (outcome: CommandOutcome) => string | undefined;
}

/** How a process ended, in the words of the port. */
export function commandEnding(
  ending: ProcessEnding,
  job: SandboxJob,
  notes: EndingNotes,
): Result<CommandOutcome, ToolError> {
  switch (ending.kind) {
    case 'exited': {
      const outcome: CommandOutcome = {
        exitCode: ending.exitCode,
        ...(ending.signal !== undefined && { signal: ending.signal }),
        ...ending.output,
        durationMs: Math.round(ending.durationMs),
        sandbox: notes.sandbox,
      };
      const hint = notes.explain(outcome);
      return Result.ok(hint === undefined ? outcome : { ...outcome, hint });
    }
    case 'timeout': {
      const seconds = job.limits.timeoutMs / 1000;
      const message = `The command was ended after ${seconds}s, with everything it had started. Do less in one command or raise the timeout.`;
      return toolFailure(toolTimedOut(job.limits.timeoutMs, message + soFar(ending.output)));
    }
    case 'memory': {
      const message = `The command was ended because it used more than ${mebibytes(job.limits.memoryBytes)} of memory. Ask for less at once, or for a higher "limits.memory".`;
      return toolFailure(limitExceeded(message + soFar(ending.output)));
    }
    case 'ended': {
      const message = `The command was ended, with everything it had started. ${ending.why}`;
      return toolFailure(executionFailed(message + soFar(ending.output)));
    }
    case 'not-admitted':
      return toolFailure(executionFailed(ending.why));
    case 'cancelled':
      return toolFailure(callCancelled());
    case 'not-saved':
      return toolFailure(
        executionFailed(
          `The command was ended because its output could not be saved: ${ending.error.message}`,
          {
            exception: ending.error,
          },
        ),
      );
    case 'not-started':
      return toolFailure(
        executionFailed(`The command could not be started: ${ending.error.message}`, {
          exception: ending.error,
        }),
      );
  }
}

function soFar({ stdout, stderr }: CommandOutput): string {
  const said = [stdout, stderr].filter((text) => text !== '').join('\n');
  if (said === '') return ' It had printed nothing.';
  const shown = said.slice(-SHOWN_OF_INTERRUPTED);
  return `\nThe ${shown.length < said.length ? 'last output' : 'output'} so far:\n${shown}`;
}

/**
 * A missing safeguard and not a fault of the tool: each call says why, where a breaker would soon say no more than
 * that the tool failed. `why` is what the sandbox printed, or what was thrown before it could print anything.
 */
export function sandboxNotSetUp(why: unknown): Failure<ToolError> {
  const reason =
    typeof why === 'string' ? why : sanitiseMessage(why instanceof Error ? why.message : String(why));
  const message = `The sandbox could not be set up for this command: ${reason}`;
  return toolFailure(toolUnavailable('SANDBOX_UNAVAILABLE', message));
}
