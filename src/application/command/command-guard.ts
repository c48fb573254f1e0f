import type { Result } from '../../domain/result.js';
import { permissionDenied, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import type { ToolContext } from '../call/tool-context.js';
import type { CommandSideEffects, FinishedCommand } from '../ports/command/command-runner.js';
import type { CommandOutcome } from '../ports/command/command-sandbox.js';

export function tellOf(
  { appeared, quarantined, findings }: CommandSideEffects,
  context: Pick<ToolContext, 'log'>,
): void {
  if (appeared.length + quarantined.length > 0)
    context.log('warning', { message: 'A command created protected files.', appeared, quarantined });
  if (findings.length > 0)
    context.log('warning', { message: 'A command created files that make git run programs.', findings });
}

/**
 * The reported outcome: a command that created what your git follows, or whose change was reverted, has
 * failed.
 */
export function answeredOutcome({ outcome, sideEffects, wasEnded }: FinishedCommand): Answered {
  if (wasEnded) return { outcome: endedByGuard(sideEffects), traces: { ...sideEffects, findings: [] } };
  const { refused = [] } = sideEffects;
  const isTakenBack = outcome.success && refused.length > 0;
  return { outcome: isTakenBack ? takenBack(refused) : outcome, traces: sideEffects };
}

interface Answered {
  readonly outcome: Result<CommandOutcome, ToolError>;
  readonly traces: CommandSideEffects;
}

function takenBack(refused: readonly string[]): Result<never, ToolError> {
  return toolFailure(permissionDenied('PROTECTED', refused.join(' ')));
}

function endedByGuard({ findings, refused = [] }: CommandSideEffects): Result<never, ToolError> {
  if (findings.length === 0 && refused.length > 0) return takenBack(refused);
  const what = `The command was killed because of files that it created: ${[...findings, ...refused].join(' ')}`;
  const next = 'Tell the user. Only the user may create such files.';
  return toolFailure(permissionDenied('PROTECTED', `${what} ${next}`));
}
