import { injectable } from 'inversify';
import { toolFailure, toolNotFound } from '../../domain/tool/tool-error.js';
import { normaliseToolName } from '../../domain/tool/tool-name.js';
import type { ArgumentValues, RunnableTool, ToolOutcome } from './runnable-tool.js';
import type { ToolContext } from './tool-context.js';

/**
 * The bare functions behind the tools, for code that already serves a granted call: no prefix, no log of its
 * own, the arguments and the context that every tool gets.
 */
@injectable()
export class ToolImplementations {
  readonly #tools = new Map<string, RunnableTool>();

  add(tool: RunnableTool): void {
    this.#tools.set(normaliseToolName(tool.tool.name), tool);
  }

  async run(name: string, args: ArgumentValues, context: ToolContext): Promise<ToolOutcome> {
    const found = this.#tools.get(normaliseToolName(name));
    return found === undefined ? toolFailure(toolNotFound(name.slice(0, 100))) : found.run(args, context);
  }
}
