import { realpathSync } from 'node:fs';
import type {
  CommandRequest,
  CommandRunner,
  PreparedCommand,
} from '../../../application/ports/command/command-runner.js';
import type {
  CommandOutcome,
  CommandSandbox,
  SandboxJob,
  SandboxStatus,
} from '../../../application/ports/command/command-sandbox.js';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { sandboxNotSetUp } from '../feedback/command-ending.js';
import type { BubblewrapOptions } from '../sandbox/bubblewrap-sandbox.js';
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
    try {
      return await (await this.#open()).prepare(request);
    } catch (error) {
      // Such as a state folder without space: no fault of the command, and the answer says what it was.
      return sandboxNotSetUp(error);
    }
  }

  async tmpOf(session: string): Promise<string | undefined> {
    const status = await this.sandbox.detect();
    if (status.state !== 'available' || status.kind !== 'bubblewrap') return undefined;
    return realpathSync((await this.#open()).tmp.of(session));
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

  #open(): Promise<WorkspaceCommands> {
    this.#commands ??= import('./workspace-commands.js').then(
      ({ WorkspaceCommands }) => new WorkspaceCommands(this.options, this.sandbox),
    );
    return this.#commands;
  }
}

/** What this operating system has to contain commands. It is loaded when the first command comes. */
export class PlatformSandbox implements CommandSandbox {
  readonly kind = process.platform === 'darwin' ? 'seatbelt' : 'bubblewrap';
  #adapter: Promise<CommandSandbox> | undefined;
  #close: (() => Promise<void>) | undefined;

  constructor(private readonly options: BubblewrapOptions) {}

  async detect(): Promise<SandboxStatus> {
    return (await this.#open()).detect();
  }

  async run(job: SandboxJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>> {
    return (await this.#open()).run(job, signal);
  }

  async endSession(session: string): Promise<void> {
    const adapter = await this.#adapter;
    await adapter?.endSession?.(session);
  }

  async releaseSession(session: string): Promise<void> {
    const adapter = await this.#adapter;
    await adapter?.releaseSession?.(session);
  }

  /** Removes what was prepared, where something was. */
  async close(): Promise<void> {
    await this.#adapter;
    await this.#close?.();
  }

  #open(): Promise<CommandSandbox> {
    this.#adapter ??= this.#load();
    return this.#adapter;
  }

  async #load(): Promise<CommandSandbox> {
    if (this.kind === 'seatbelt') {
      const { SeatbeltSandbox } = await import('../unsandboxed/seatbelt-sandbox.js');
      return new SeatbeltSandbox(this.options.realHome);
    }
    const { BubblewrapSandbox } = await import('../sandbox/bubblewrap-sandbox.js');
    const sandbox = new BubblewrapSandbox(this.options);
    this.#close = () => sandbox.close();
    return sandbox;
  }
}
