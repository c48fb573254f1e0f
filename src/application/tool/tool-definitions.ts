import { injectable } from 'inversify';
import type { Tool } from '../../domain/tool/tool.js';
import type { ToolDefinition } from './tool-definition.js';

/** What the registered tools were defined with, for their specifications. A tool that was only registered has none. */
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
