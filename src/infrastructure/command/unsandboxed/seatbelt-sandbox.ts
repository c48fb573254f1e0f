import { existsSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { injectable } from 'inversify';
import type {
  CommandOutcome,
  CommandSandbox,
  SandboxJob,
  SandboxStatus,
} from '../../../application/ports/command/command-sandbox.js';
import type { Result } from '../../../domain/result.js';
import { type ToolError, toolFailure, toolUnavailable } from '../../../domain/tool/tool-error.js';
import { processStarter } from '../../process/process-starter.js';
import { commandEnding } from '../feedback/command-ending.js';
import { explainFailure } from '../feedback/sandbox-hint.js';
import { CommandProcess } from '../process/command-process.js';
import { killGroup, terminateGroup } from '../process/interruption.js';
import { limitedCommand, limitsScript } from '../process/limits-script.js';
import { startFreely } from '../process/process-launch.js';
import { findToolchains } from '../program/toolchains.js';
import { seatbeltProfile } from './seatbelt-profile.js';

const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

/** macOS. The profile is tested as text; nobody has run this adapter on a Mac yet. */
@injectable()
export class SeatbeltSandbox implements CommandSandbox {
  readonly kind = 'seatbelt';

  constructor(private readonly realHome: string) {}

  async detect(): Promise<SandboxStatus> {
    if (process.platform === 'darwin' && existsSync(SANDBOX_EXEC)) {
      return { state: 'available', kind: this.kind, description: 'Seatbelt (sandbox-exec), untested' };
    }
    return {
      state: 'missing',
      kind: this.kind,
      reason: `${SANDBOX_EXEC} is not there: Seatbelt is a part of macOS.`,
      remedy: 'Use bubblewrap on Linux, and WSL 2 on Windows.',
    };
  }

  async run(job: SandboxJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>> {
    const status = await this.detect();
    if (status.state === 'missing') {
      return toolFailure(toolUnavailable('SANDBOX_UNAVAILABLE', `${status.reason} ${status.remedy}`));
    }
    const temporary = join(job.home, 'tmp');
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    const toolchains = await findToolchains(job.env.PATH ?? '', this.realHome);
    const shell = realpathSync('/bin/sh');
    const command = limitedCommand(job, limitsScript(job.limits, shell, 'user'));
    const start = {
      file: SANDBOX_EXEC,
      args: ['-p', seatbeltProfile(job, toolchains.read), ...command],
      cwd: job.cwd,
      // sandbox-exec itself runs outside; macOS would hand these to no program of its own either.
      env: withoutLoader({ ...toolchains.environment, ...job.env, HOME: job.home, TMPDIR: temporary }),
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
      sandbox: `Seatbelt, network ${job.network === 'none' ? 'off' : 'on'}`,
      explain: (outcome) => explainFailure(outcome, job),
    });
  }
}

function withoutLoader(variables: SandboxJob['env']): SandboxJob['env'] {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^(?:LD|DYLD)_/.test(name)));
}
