import type { Failure } from '../../domain/result.js';
import { previewArguments } from '../../domain/tool/argument-preview.js';
import { executionFailed, invalidInput, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';

/** A failure of the store counts as a fault, so that an unavailable store opens the circuit breaker. */
export function flagFailure({ error, errorType }: Failure): Failure<ToolError> {
  return toolFailure(executionFailed(error, { type: errorType }));
}

/** The caller gave a value that a flag cannot have. */
export function flagRefused(
  parameter: 'flag' | 'value',
  issue: string,
  received: unknown,
): Failure<ToolError> {
  const shown = JSON.stringify(previewArguments(received)) ?? 'nothing';
  return toolFailure(
    invalidInput([
      {
        parameter_name: parameter,
        issue,
        expected:
          parameter === 'flag' ? 'a name of word characters and hyphens' : 'a value the flag may hold',
        received: shown.slice(0, 200),
        hint: 'Choose another one.',
      },
    ]),
  );
}
