import type {
  CommandGround,
  CommandGrounds,
  GroundRequest,
} from '../../../application/ports/command/command-ground.js';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { sandboxNotSetUp } from '../sandbox/sandbox-not-set-up.js';
import type { CommandGroundOptions } from './disk-command-grounds.js';

/** DiskCommandGrounds, loaded when the first command comes. */
export class LazyCommandGrounds implements CommandGrounds {
  readonly environment: CommandGroundOptions['environment'];
  #grounds: Promise<CommandGrounds> | undefined;

  constructor(private readonly options: CommandGroundOptions) {
    this.environment = options.environment;
  }

  async prepare(request: GroundRequest): Promise<Result<CommandGround, ToolError>> {
    this.#grounds ??= import('./disk-command-grounds.js').then(
      ({ DiskCommandGrounds }) => new DiskCommandGrounds(this.options),
    );
    try {
      return await (await this.#grounds).prepare(request);
    } catch (error) {
      // Such as a state folder without space: no fault of the command, and the answer says what it was.
      return sandboxNotSetUp(error);
    }
  }

  async endSession(session: string): Promise<void> {
    await (await this.#grounds)?.endSession?.(session);
  }

  async close(): Promise<void> {
    await (await this.#grounds)?.close();
  }
}
