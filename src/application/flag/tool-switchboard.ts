import { inject, injectable } from 'inversify';
import { mergeFlags } from '../../domain/flag/flag.js';
import { meetsFlagCondition } from '../../domain/flag/flag-condition.js';
import type { RunnableTool } from '../call/runnable-tool.js';
import { FlagStore } from '../ports/flag/flag-store.js';
import { Logger } from '../ports/system/logger.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';
import { ToolSwitches } from './tool-switches.js';

/**
 * Switches tools on and off as their flags change. What is not known to be on is off at the start; while the
 * store cannot be read afterwards, every tool stays as it was.
 */
@injectable()
export class ToolSwitchboard {
  #forget: (() => void) | undefined;
  /** Those that were switched off when they came. */
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
        this.logger.warn(`The flag ${flag} is to switch ${tool}, and there is no such tool.`);
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

  /** Switches off those that are new; the next reading says whether they are on. Returns whether there were any. */
  #meet(): boolean {
    const wired = Object.keys(this.switches).flatMap((name) => this.tools.get(name) ?? []);
    const fresh = wired.filter((tool) => !this.#met.has(tool));
    for (const tool of fresh) {
      this.#met.add(tool);
      this.tools.setEnabled(tool.tool.name, false);
    }
    return fresh.length > 0;
  }

  /** One reading after another: an earlier one must not have the last word. */
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
