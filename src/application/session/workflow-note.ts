import { isJsonObject } from '../../domain/json-value.js';
import type { SuccessNotes } from '../../domain/result.js';
import type { WorkflowContext } from '../../domain/session/workflow-context.js';

/** Tells the agent about tools called earlier in the same workflow. */
export function workflowNotes(workflow: WorkflowContext | undefined, tool: string): SuccessNotes {
  const earlier = [...(workflow?.toolResults ?? [])].flatMap(([name, result]) => {
    const told = name === tool ? undefined : summaryOf(result);
    return told === undefined ? [] : [`${name} found ${told}`];
  });
  if (workflow === undefined || earlier.length === 0) return {};
  return {
    instruction: `Earlier in this ${workflow.promptName}: ${earlier.join('; ')}. Take it into account.`,
  };
}

function summaryOf(result: unknown): string | undefined {
  if (!isJsonObject(result)) return undefined;
  const { verdict, pattern, violations, conflicts, total_matches } = result;
  if (typeof verdict === 'string' && Array.isArray(violations)) {
    return `${violations.length} violations of ${String(pattern)} (${verdict})`;
  }
  if (Array.isArray(conflicts)) return `${conflicts.length} conflicts with decision records`;
  return typeof total_matches === 'number' ? `${total_matches} documents` : undefined;
}
