import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { ToolDefinition } from '../application/tool/tool-definition.js';
import type { DescriptionStyle } from '../presentation/docs/tool-description.js';
import { builtinTools } from '../presentation/tools/builtin-tools.js';
import type { CastellanOptions } from './castellan-options.js';

/** The tools this server is to have, before they meet the ports they need. */
export interface ToolCatalogue {
  readonly definitions: readonly ToolDefinition[];
  readonly descriptions: DescriptionStyle;
}

export const ToolCatalogue: ServiceIdentifier<ToolCatalogue> = Symbol.for('castellan.ToolCatalogue');

/** The built-in tools and the embedder's own. */
export function toolsModule(options: CastellanOptions = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ToolCatalogue).toConstantValue({
      definitions: [...builtinTools, ...(options.tools ?? [])],
      descriptions: options.toolDescriptions ?? 'full',
    });
  });
}
