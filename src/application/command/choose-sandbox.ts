import { inject, injectable } from 'inversify';
import type { Obligations, SandboxProfile } from '../../domain/permission/policy/obligations.js';
import { Result } from '../../domain/result.js';
import { type ToolError, toolFailure, toolUnavailable } from '../../domain/tool/tool-error.js';
import { CommandRunner } from '../ports/command/command-runner.js';
import type { SandboxStatus } from '../ports/command/command-sandbox.js';

/** Selects the sandbox that a policy requires from those that the machine has. */
@injectable()
export class ChooseSandbox {
  /** A sandbox that was found once is assumed to remain. */
  #isThere = false;

  constructor(@inject(CommandRunner) private readonly runner: CommandRunner) {}

  /** Which sandbox this machine has, or what is missing. */
  status(): Promise<SandboxStatus> {
    return this.runner.status();
  }

  /** undefined: nothing contains the command. */
  async choose({
    sandbox,
    sandboxUnavailable,
  }: Obligations): Promise<Result<SandboxProfile | undefined, ToolError>> {
    if (sandbox === undefined) return Result.ok(undefined);
    if (this.#isThere) return Result.ok(sandbox);
    const status = await this.runner.status();
    this.#isThere = status.state === 'available';
    if (status.state === 'available') return Result.ok(sandbox);
    if (sandboxUnavailable === 'none') return Result.ok(undefined);
    return toolFailure(
      toolUnavailable(
        'SANDBOX_UNAVAILABLE',
        `SANDBOX_UNAVAILABLE: commands are not run without a sandbox here. ${status.reason} ${status.remedy}`,
      ),
    );
  }
}
