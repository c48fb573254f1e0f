import type { ServiceIdentifier } from 'inversify';
import type { ToolDefinition } from './tool-definition.js';

/** The tools this server is to have, as they were defined. */
export interface ToolCatalogue {
  readonly definitions: readonly ToolDefinition[];
}

export const ToolCatalogue: ServiceIdentifier<ToolCatalogue> = Symbol.for('castellan.ToolCatalogue');
