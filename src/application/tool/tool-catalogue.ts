import type { ServiceIdentifier } from 'inversify';
import type { ToolDefinition } from './tool-definition.js';

/** The definitions of the tools this server starts with. */
export interface ToolCatalogue {
  readonly definitions: readonly ToolDefinition[];
}

export const ToolCatalogue: ServiceIdentifier<ToolCatalogue> = Symbol.for('castellan.ToolCatalogue');
