import { inject, injectable } from 'inversify';
import type { Obligations, SandboxProfile } from '../../domain/permission/policy/obligations.js';
import { Result } from '../../domain/result.js';
import { type ToolError, toolFailure, toolUnavailable } from '../../domain/tool/tool-error.js';
import { CommandSandbox, DirectRunner, type SandboxStatus } from '../ports/command/command-sandbox.js';
import { RunningCommands } from './running-commands.js';

export interface ChosenSandbox {
  readonly sandbox: Pick<CommandSandbox, 'run'>;
  /** undefined: nothing contains the command. */
  readonly profile: SandboxProfile | undefined;
}

/** Finds what a policy asks for among what the machine has. */
@injectable()
export class ChooseSandbox {
  constructor(
    @inject(CommandSandbox) private readonly contained: CommandSandbox,
    @inject(DirectRunner) private readonly uncontained: CommandSandbox,
    @inject(RunningCommands) private readonly running: RunningCommands,
  ) {}

  /** What there is on this machine, and what is missing. */
  status(): Promise<SandboxStatus> {
    return this.contained.detect();
  }

  /** `sessionId`: whose client waits for what is run. */
  async choose(
    { sandbox, sandboxUnavailable }: Obligations,
    sessionId: string,
  ): Promise<Result<ChosenSandbox, ToolError>> {
    if (sandbox === undefined) return Result.ok(this.#using(this.uncontained, undefined, sessionId));
    const status = await this.contained.detect();
    if (status.state === 'available') return Result.ok(this.#using(this.contained, sandbox, sessionId));
    if (sandboxUnavailable === 'none') return Result.ok(this.#using(this.uncontained, undefined, sessionId));
    return toolFailure(
      toolUnavailable(
        'SANDBOX_UNAVAILABLE',
        `SANDBOX_UNAVAILABLE: commands are not run without a sandbox here. ${status.reason} ${status.remedy}`,
      ),
    );
  }

  #using(sandbox: CommandSandbox, profile: SandboxProfile | undefined, sessionId: string): ChosenSandbox {
    return {
      sandbox: { run: (job, signal) => this.running.follow(sandbox, job, signal, sessionId) },
      profile,
    };
  }
}
