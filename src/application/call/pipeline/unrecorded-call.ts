import { Failure, Result } from '../../../domain/result.js';
import { permissionDenied, type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import { ToolResult } from '../../../domain/tool/tool-result.js';

/** Refuses a call that must be in the audit log and cannot be. */
export function unrecordedRefusal(): Result<never, ToolError> {
  const message =
    'The policy requires a record before this call runs, and the audit log cannot be written. Tell the operator.';
  return toolFailure(permissionDenied('AUDIT_UNAVAILABLE', message));
}

/** Adds to an outcome that it is missing from the audit log. */
export function unrecordedOutcome(
  outcome: Result<ToolResult, ToolError>,
  why: string,
): Result<ToolResult, ToolError> {
  const message = [outcome.notes.message, `This call is not recorded yet. ${why}`]
    .filter((part) => part !== undefined)
    .join(' ');
  if (!outcome.success) return new Failure(outcome.error, outcome.errorType, { ...outcome.notes, message });
  return Result.ok(withMessage(outcome.value, message), { ...outcome.notes, message });
}

/** A structured result has it in its envelope, any other in a block for the user. */
function withMessage(result: ToolResult, message: string): ToolResult {
  const { structured } = result;
  return structured === undefined
    ? result.withNotes(message, undefined)
    : ToolResult.json({ ...structured, message: joined(structured.message, message) });
}

function joined(first: string | undefined, second: string): string {
  return first === undefined || second.startsWith(first) ? second : `${first} ${second}`;
}
