import type {
  CommandSideEffects,
  FinishedCommand,
  PreparedCommand,
} from '../../../application/ports/command/command-runner.js';
import type {
  CommandJob,
  CommandOutcome,
  CommandSandbox,
  SandboxJob,
} from '../../../application/ports/command/command-sandbox.js';
import { Result } from '../../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import type { CommandTree } from '../workspace/command-tree.js';
import { isRepository } from './command-folders.js';

/** What is watched over while a command runs. */
export interface CommandGuard {
  /** To be called when nothing of the command is left, before it is answered. */
  close(): Promise<CommandSideEffects>;
}

export interface PreparedParts extends Pick<PreparedCommand, 'cwd' | 'shell' | 'gitSettings' | 'expand'> {
  readonly seen: Pick<SandboxJob, 'view' | 'home' | 'tmp'>;
  /** undefined: it runs without a sandbox. */
  readonly tree: CommandTree | undefined;
  readonly sandbox: () => Promise<Pick<CommandSandbox, 'run'>>;
  /** `end` is called with the reason when the command has to be ended. */
  readonly guard: (end: (why: string) => void) => Promise<CommandGuard>;
}

const NOTHING: CommandSideEffects = { appeared: [], quarantined: [], findings: [] };

export const NO_GUARD: CommandGuard = { close: async () => NOTHING };

export function preparedCommand({ seen, tree, sandbox, guard, ...shown }: PreparedParts): PreparedCommand {
  const whole = (job: CommandJob): SandboxJob => ({
    ...job,
    ...seen,
    cwd: shown.cwd,
    ...(tree && { currentView: () => tree.current() }),
    onLive: (command) => {
      job.onBegin?.();
      return tree?.begin(command) ?? (() => undefined);
    },
  });
  const ask = async (job: CommandJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>> =>
    (await sandbox()).run(whole(job), signal);
  return {
    ...shown,
    ask,
    run: (job, signal) => guarded(guard, (ended) => ask(job, AbortSignal.any([signal, ended])), signal),
    soFar: async () => (tree === undefined ? NOTHING : { ...NOTHING, ...(await soFar(tree)) }),
  };
}

async function guarded(
  watch: PreparedParts['guard'],
  run: (ended: AbortSignal) => Promise<Result<CommandOutcome, ToolError>>,
  signal: AbortSignal,
): Promise<FinishedCommand> {
  const ending = new AbortController();
  const guard = await watch((why) => ending.abort(why));
  let closed: Result<CommandSideEffects, ToolError> = Result.ok(NOTHING);
  let outcome: Result<CommandOutcome, ToolError>;
  try {
    outcome = await run(ending.signal);
  } finally {
    closed = await guard.close().then(Result.ok, notLookedAt);
  }
  if (!closed.success) return { outcome: closed, sideEffects: NOTHING, wasEnded: false };
  const sideEffects = closed.value;
  // A caller's own cancel is answered as such.
  return { outcome, sideEffects, wasEnded: ending.signal.aborted && !signal.aborted };
}

/** Its answer must not say that all is well. */
function notLookedAt(error: unknown): Result<never, ToolError> {
  const why = error instanceof Error ? error.message : String(error);
  return toolFailure(executionFailed(`What the command did could not be looked at: ${why}`));
}

async function soFar(tree: CommandTree): Promise<Pick<CommandSideEffects, 'appeared' | 'quarantined'>> {
  const appeared = (await tree.appeared()).filter((path) => !isRepository(path));
  return { appeared, quarantined: tree.quarantined() };
}
