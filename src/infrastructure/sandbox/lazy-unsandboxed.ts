import type {
  CommandOutcome,
  CommandSandbox,
  SandboxJob,
  SandboxStatus,
} from '../../application/ports/command-sandbox.js';
import type { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';

/** Unsandboxed, loaded when the first command needs it: few policies ever do. */
export class LazyUnsandboxed implements CommandSandbox {
  readonly kind = 'none';

  async detect(): Promise<SandboxStatus> {
    return (await load()).detect();
  }

  async run(job: SandboxJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>> {
    return (await load()).run(job, signal);
  }
}

async function load(): Promise<CommandSandbox> {
  const { Unsandboxed } = await import('./unsandboxed.js');
  return new Unsandboxed();
}
