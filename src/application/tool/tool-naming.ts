import type { ServiceIdentifier } from 'inversify';

/** How tools are called on the wire: the prefix that every name without its own gets. */
export interface ToolNaming {
  readonly prefix: string;
}

export const ToolNaming: ServiceIdentifier<ToolNaming> = Symbol.for('castellan.ToolNaming');
