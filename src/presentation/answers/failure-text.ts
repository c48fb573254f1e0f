import type { Failure } from '../../domain/result.js';
import {
  errorCodeOf,
  errorDetailsOf,
  type InputProblem,
  type ToolError,
} from '../../domain/tool/tool-error.js';
import type { ContentBlock } from '../../domain/tool/tool-result.js';
import { serverBlocks } from './server-notes.js';

/**
 * A failure as a model reads it: type, code and one sentence; then, each in a block of its own, the word for the user
 * and what to do next.
 */
export function failureBlocks(failure: Failure<ToolError>): readonly ContentBlock[] {
  const { error, errorType, notes } = failure;
  const said = error.kind === 'invalid-input' ? error.problems.map(problemText).join('; ') : error.message;
  const code = notes.code ?? errorCodeOf(error);
  const message = notes.message === error.message ? undefined : notes.message;
  return [
    { type: 'text', text: `${errorType} (${code}): ${said}` },
    ...serverBlocks(message, nextSteps(error, notes)),
  ];
}

function nextSteps(error: ToolError, notes: Failure<ToolError>['notes']): readonly string[] {
  const details = { ...errorDetailsOf(error), ...notes.details };
  const { retry_after_ms, correlation_id } = details;
  return [
    ...(error.kind === 'invalid-input' ? hintsOf(error.problems) : []),
    ...(notes.instruction === undefined ? [] : [notes.instruction]),
    ...(typeof retry_after_ms === 'number' ? [`retry_after_ms: ${retry_after_ms}`] : []),
    ...(typeof correlation_id === 'string' && !error.message.includes(correlation_id)
      ? [`correlation_id: ${correlation_id}`]
      : []),
  ];
}

function problemText({ parameter_name, issue, received }: InputProblem): string {
  return received === 'nothing' || received === parameter_name ? issue : `${issue}; got ${received}`;
}

/** A suggestion says more than the description of the argument that is missing because of it. */
function hintsOf(problems: readonly InputProblem[]): readonly string[] {
  const suggested = problems.filter(({ hint }) => hint.startsWith('Did you mean')).map(({ hint }) => hint);
  const hints = problems
    .filter(({ hint, expected }) => hint !== `Pass ${expected}.`)
    .filter(({ parameter_name, received }) => {
      const isSuggested = suggested.some((hint) => hint.includes(` ${parameter_name}`));
      return received !== 'nothing' || !isSuggested;
    })
    .map(({ parameter_name, issue, expected, hint }) => {
      const wanted = issue.endsWith(' is required') && expected !== '' ? ` (${expected})` : '';
      return `${parameter_name}${wanted}: ${hint}`;
    });
  return [...new Set(hints)];
}
