import type {
  CommandRequest,
  CommandRunner,
  PreparedCommand,
} from '../../../application/ports/command/command-runner.js';
import type { SandboxStatus } from '../../../application/ports/command/command-sandbox.js';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { sandboxNotSetUp } from '../feedback/sandbox-not-set-up.js';
import type { PlatformSandbox } from './platform-sandbox.js';
import type { RunnerOptions, WorkspaceCommands } from './workspace-commands.js';

/** The port on this machine. What it takes is loaded when the first command comes. */
export class LocalCommandRunner implements CommandRunner {
  readonly environment: RunnerOptions['environment'];
  #commands: Promise<WorkspaceCommands> | undefined;

  constructor(
    private readonly options: RunnerOptions,
    private readonly sandbox: PlatformSandbox,
  ) {
    this.environment = options.environment;
  }

  status(): Promise<SandboxStatus> {
    return this.sandbox.detect();
  }

  async prepare(request: CommandRequest): Promise<Result<PreparedCommand, ToolError>> {
    this.#commands ??= import('./workspace-commands.js').then(
      ({ WorkspaceCommands }) => new WorkspaceCommands(this.options, this.sandbox),
    );
    try {
      return await (await this.#commands).prepare(request);
    } catch (error) {
      // Such as a state folder without space: no fault of the command, and the answer says what it was.
      return sandboxNotSetUp(error);
    }
  }

  async endSession(session: string): Promise<void> {
    await this.sandbox.endSession(session);
    // Only then: what still ran could write.
    await (await this.#commands)?.endSession(session);
  }

  releaseSession(session: string): Promise<void> {
    return this.sandbox.releaseSession(session);
  }

  async close(): Promise<void> {
    await (await this.#commands)?.close();
  }
}
