import type {
  CommandOutcome,
  CommandSandbox,
  SandboxJob,
  SandboxStatus,
} from '../../../application/ports/command/command-sandbox.js';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';

/** The direct runner, loaded when the first command needs it: few policies ever do. */
export class LazyDirectRunner implements CommandSandbox {
  readonly kind = 'none';
  #loaded: Promise<CommandSandbox> | undefined;

  async detect(): Promise<SandboxStatus> {
    return (await this.#load()).detect();
  }

  async run(job: SandboxJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>> {
    return (await this.#load()).run(job, signal);
  }

  #load(): Promise<CommandSandbox> {
    this.#loaded ??= import('./direct-runner.js').then(({ DirectRunner }) => new DirectRunner());
    return this.#loaded;
  }
}
