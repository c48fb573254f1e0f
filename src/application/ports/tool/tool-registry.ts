import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { RunnableTool } from '../../call/runnable-tool.js';

/** The registered tools. A name is found in any spelling: with or without prefix, with any separator. */
export interface ToolRegistry {
  /**
   * Refuses a name that another tool has after normalising (to replace it, unregister it first), and a tool
   * that `tools: { include, exclude }` of the settings excludes.
   */
  register(tool: RunnableTool): Result<RunnableTool>;
  unregister(name: string): boolean;
  get(name: string): RunnableTool | undefined;
  /** Enables or disables a tool; listeners are notified if that changed it. false: no such tool. */
  setEnabled(name: string, enabled: boolean): boolean;
  /** Sorted by name. */
  list(category?: string): readonly RunnableTool[];
  listEnabled(): readonly RunnableTool[];
  /** Calls back after each change of what list() returns; the returned function ends that. */
  onChange(listener: () => void): () => void;
}

export const ToolRegistry: ServiceIdentifier<ToolRegistry> = Symbol.for('castellan.ToolRegistry');
