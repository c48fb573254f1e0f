import type { Denial } from '../../domain/permission/policy/decision.js';
import {
  permissionDenied,
  type ToolError,
  toolDisabled,
  toolNotFound,
} from '../../domain/tool/tool-error.js';

/** A refusal for the caller: the kind of rule and what to do, never a rule, a pattern or its position. */
export function denialError(denial: Denial, tool: string): ToolError {
  switch (denial.reason) {
    // A tool that the role may not see is answered exactly like one that does not exist.
    case 'UNKNOWN_TOOL':
    case 'ROLE':
      return toolNotFound(tool);
    case 'DISABLED':
      return toolDisabled(tool);
    // The hint about the form of a command uses only the caller's own text.
    case 'SHELL_SYNTAX':
    case 'UNPARSEABLE':
    case 'HAZARDOUS_ARGUMENT':
      return permissionDenied(
        denial.reason,
        `The policy refuses this call of ${tool} (${denial.reason}). ${sentence(denial.message)} ${sentence(denial.hint)}`,
        'Write the command as the refusal says.',
      );
    default:
      return permissionDenied(
        denial.reason,
        `The policy refuses this call of ${tool} (${denial.reason}). ${denial.hint}`,
        'Do not try variants of a refused call. Do what the refusal says, or tell the user which permission is missing.',
      );
  }
}

function sentence(text: string): string {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}
