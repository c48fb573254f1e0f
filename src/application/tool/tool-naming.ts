import type { ServiceIdentifier } from 'inversify';

/** How tool names are sent: the prefix for every name without its own. */
export interface ToolNaming {
  readonly prefix: string;
}

export const ToolNaming: ServiceIdentifier<ToolNaming> = Symbol.for('castellan.ToolNaming');
