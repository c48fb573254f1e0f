import type { Result } from '../../domain/result.js';
import { permissionDenied, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import type { ToolContext } from '../call/tool-context.js';
import type { CommandOutcome, CommandSandbox, SandboxJob } from '../ports/command/command-sandbox.js';
import type { CommandGuard, CommandSideEffects, CommandView } from '../ports/command/command-view.js';

export function tellOf(
  { appeared, quarantined, findings }: CommandSideEffects,
  context: Pick<ToolContext, 'log'>,
): void {
  if (appeared.length + quarantined.length > 0)
    context.log('warning', { message: 'A command made protected files.', appeared, quarantined });
  if (findings.length > 0)
    context.log('warning', { message: 'A command made files that git would obey.', findings });
}

/** Runs it under watch; one that made something that git obeys outside is ended. */
export async function guarded(
  sandbox: Pick<CommandSandbox, 'run'>,
  job: SandboxJob,
  commandView: CommandView,
  signal: AbortSignal,
  onGuard?: (guard: CommandGuard) => void,
): Promise<{ readonly outcome: Result<CommandOutcome, ToolError>; readonly traces: CommandSideEffects }> {
  const ending = new AbortController();
  const guard = await commandView.guard((why) => ending.abort(why));
  onGuard?.(guard);
  let traces: CommandSideEffects = { appeared: [], quarantined: [], findings: [] };
  let outcome: Result<CommandOutcome, ToolError>;
  try {
    outcome = await sandbox.run(job, AbortSignal.any([signal, ending.signal]));
  } finally {
    traces = await guard.close();
  }
  // A caller's own cancel is answered as such.
  const isEnded = ending.signal.aborted && !signal.aborted;
  if (isEnded) return { outcome: endedByGuard(traces), traces: { ...traces, findings: [] } };
  const { refused = [] } = traces;
  return { outcome: outcome.success && refused.length > 0 ? takenBack(refused) : outcome, traces };
}

function takenBack(refused: readonly string[]): Result<never, ToolError> {
  return toolFailure(permissionDenied('PROTECTED', refused.join(' ')));
}

function endedByGuard({ findings, refused = [] }: CommandSideEffects): Result<never, ToolError> {
  if (findings.length === 0 && refused.length > 0) return takenBack(refused);
  const what = `The command was ended because of what it made: ${[...findings, ...refused].join(' ')}`;
  const next = 'Tell the user. Leave what git obeys outside the sandbox to the user.';
  return toolFailure(permissionDenied('PROTECTED', `${what} ${next}`));
}
