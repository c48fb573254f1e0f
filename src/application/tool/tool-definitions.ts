import { injectable } from 'inversify';
import type { Tool } from '../../domain/tool/tool.js';
import type { ToolDefinition } from './tool-definition.js';

/** The definitions of registered tools, for their specifications. A tool registered without one has none. */
@injectable()
export class ToolDefinitions {
  readonly #byTool = new WeakMap<Tool, ToolDefinition>();

  set(tool: Tool, definition: ToolDefinition): void {
    this.#byTool.set(tool, definition);
  }

  of(tool: Tool): ToolDefinition | undefined {
    return this.#byTool.get(tool);
  }
}
