import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { RunnableTool } from '../../call/runnable-tool.js';

/** The tools there are. A name is found in any spelling: decorated or not, with any separator. */
export interface ToolRegistry {
  /**
   * Refuses a name that another tool has after normalising (replacing is unregister first), and a tool that
   * `tools: { include, exclude }` of the settings keeps away.
   */
  register(tool: RunnableTool): Result<RunnableTool>;
  unregister(name: string): boolean;
  get(name: string): RunnableTool | undefined;
  /** Switches a tool on or off; listeners are told where that changed it. false: there is no such tool. */
  setEnabled(name: string, enabled: boolean): boolean;
  /** Sorted by name. */
  list(category?: string): readonly RunnableTool[];
  listEnabled(): readonly RunnableTool[];
  /** Calls back after each change of what list() returns; the answer ends it. */
  onChange(listener: () => void): () => void;
}

export const ToolRegistry: ServiceIdentifier<ToolRegistry> = Symbol.for('castellan.ToolRegistry');
