import type {
  CommandView,
  CommandViewFactory,
  CommandViewRequest,
} from '../../../application/ports/command/command-view.js';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { sandboxNotSetUp } from '../feedback/sandbox-not-set-up.js';
import type { CommandViewOptions } from './disk-command-view-factory.js';

/** DiskCommandViewFactory, loaded when the first command comes. */
export class LazyCommandViewFactory implements CommandViewFactory {
  readonly environment: CommandViewOptions['environment'];
  #viewFactory: Promise<CommandViewFactory> | undefined;

  constructor(private readonly options: CommandViewOptions) {
    this.environment = options.environment;
  }

  async prepare(request: CommandViewRequest): Promise<Result<CommandView, ToolError>> {
    this.#viewFactory ??= import('./disk-command-view-factory.js').then(
      ({ DiskCommandViewFactory }) => new DiskCommandViewFactory(this.options),
    );
    try {
      return await (await this.#viewFactory).prepare(request);
    } catch (error) {
      // Such as a state folder without space: no fault of the command, and the answer says what it was.
      return sandboxNotSetUp(error);
    }
  }

  async endSession(session: string): Promise<void> {
    await (await this.#viewFactory)?.endSession?.(session);
  }

  async close(): Promise<void> {
    await (await this.#viewFactory)?.close();
  }
}
