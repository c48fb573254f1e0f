import { existsSync, mkdirSync } from 'node:fs';
import { injectable } from 'inversify';
import type {
  CommandOutcome,
  CommandSandbox,
  SandboxJob,
  SandboxStatus,
} from '../../../application/ports/command/command-sandbox.js';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { processStarter } from '../../process/process-starter.js';
import { commandEnding } from '../feedback/command-ending.js';
import { CommandProcess } from '../process/command-process.js';
import { killGroup, terminateGroup } from '../process/interruption.js';
import { jobArgv } from '../process/limits-script.js';
import { startFreely } from '../process/process-launch.js';

const DESCRIPTION = 'none: the command had the rights of the server';

/**
 * Runs with the server's own rights; used only where the policy says `sandbox: none`. Time, output and memory
 * are held; the kernel's limits are not set, because without a namespace they would count the whole user.
 */
@injectable()
export class DirectRunner implements CommandSandbox {
  readonly kind = 'none';

  async detect(): Promise<SandboxStatus> {
    return { state: 'available', kind: 'none', description: DESCRIPTION };
  }

  async run(job: SandboxJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>> {
    if (!existsSync(job.home)) mkdirSync(job.home, { recursive: true, mode: 0o700 });
    const [file, ...args] = jobArgv(job);
    const start = {
      file,
      args,
      cwd: job.cwd,
      env: { ...job.env, HOME: job.home },
      descriptors: [],
      detached: true,
    };
    const launch = {
      start: startFreely(await processStarter(), start),
      terminate: terminateGroup,
      kill: killGroup,
    };
    const ending = await new CommandProcess(launch, job).run(signal);
    return commandEnding(ending, job, {
      sandbox: DESCRIPTION,
      explain: () => undefined,
    });
  }
}
