import { inject, injectable } from 'inversify';
import { mergeFlags } from '../../domain/flag/flag.js';
import { meetsFlagCondition } from '../../domain/flag/flag-condition.js';
import type { RunnableTool } from '../call/runnable-tool.js';
import { FlagStore } from '../ports/flag/flag-store.js';
import { Logger } from '../ports/system/logger.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';
import { ToolSwitches } from './tool-switches.js';

/**
 * Enables and disables tools as their flags change. At the start, a tool whose flag is not known to be on is
 * off; if the store cannot be read later, every tool stays as it was.
 */
@injectable()
export class ToolSwitchboard {
  #forget: (() => void) | undefined;
  /** Tools that were disabled when they were registered. */
  readonly #met = new WeakSet<RunnableTool>();
  #turn: Promise<void> = Promise.resolve();

  constructor(
    @inject(FlagStore) private readonly flags: FlagStore,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(ToolSwitches) private readonly switches: ToolSwitches,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  /** Resolves when the flags have been read once. */
  async start(): Promise<void> {
    const wired = Object.entries(this.switches);
    if (wired.length === 0 || this.#forget !== undefined) return;
    for (const [tool, flag] of wired) {
      if (this.tools.get(tool) === undefined)
        this.logger.warn(`The flag ${flag} should switch ${tool}, which is not a tool.`);
    }
    this.#meet();
    const forgetFlags = this.flags.onChange(() => void this.#follow());
    const forgetTools = this.tools.onChange(() => this.#meet() && void this.#follow());
    this.#forget = () => {
      forgetFlags();
      forgetTools();
    };
    await this.#follow();
  }

  stop(): void {
    this.#forget?.();
    this.#forget = undefined;
  }

  /** Disables new tools until the next reading. Returns true if there were any. */
  #meet(): boolean {
    const wired = Object.keys(this.switches).flatMap((name) => this.tools.get(name) ?? []);
    const fresh = wired.filter((tool) => !this.#met.has(tool));
    for (const tool of fresh) {
      this.#met.add(tool);
      this.tools.setEnabled(tool.tool.name, false);
    }
    return fresh.length > 0;
  }

  /** Readings run one after another: an earlier one must not overwrite a later one. */
  #follow(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#apply());
    return this.#turn;
  }

  async #apply(): Promise<void> {
    const [project, global] = [await this.flags.all('project'), await this.flags.all('global')];
    for (const read of [project, global]) {
      if (!read.success) this.logger.warn(`Tools stay as they are: ${read.error}`);
    }
    if (!project.success || !global.success) return;
    const flags = mergeFlags(project.value, global.value);
    for (const [tool, flag] of Object.entries(this.switches)) {
      this.tools.setEnabled(tool, meetsFlagCondition({ flag }, flags));
    }
  }
}
