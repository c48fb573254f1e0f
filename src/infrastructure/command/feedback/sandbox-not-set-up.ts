import type { Failure } from '../../../domain/result.js';
import { type ToolError, toolFailure, toolUnavailable } from '../../../domain/tool/tool-error.js';
import { sanitiseMessage } from '../../tool/sanitise-message.js';

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
