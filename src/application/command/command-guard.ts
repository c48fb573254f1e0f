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
    context.log('warning', { message: 'A command made protected files.', appeared, quarantined });
  if (findings.length > 0)
    context.log('warning', { message: 'A command made files that git would obey.', findings });
}

/** The outcome as it is answered: a command that made what git obeys outside has failed. */
export function answeredOutcome({ outcome, sideEffects, wasEnded }: FinishedCommand): Answered {
  if (wasEnded) return { outcome: endedByGuard(sideEffects), traces: { ...sideEffects, findings: [] } };
  return { outcome, traces: sideEffects };
}

interface Answered {
  readonly outcome: Result<CommandOutcome, ToolError>;
  readonly traces: CommandSideEffects;
}

function endedByGuard({ findings }: CommandSideEffects): Result<never, ToolError> {
  const what = `The command was ended because of what it made: ${findings.join(' ')}`;
  const next = 'Tell the user. Leave what git obeys outside the sandbox to the user.';
  return toolFailure(permissionDenied('PROTECTED', `${what} ${next}`));
}
