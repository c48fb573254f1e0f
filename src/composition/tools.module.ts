import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { ToolCatalogue } from '../application/tool/tool-catalogue.js';
import type { DescriptionStyle } from '../presentation/docs/tool-description.js';
import { builtinTools } from '../presentation/tools/builtin-tools.js';
import type { CastellanOptions } from './castellan-options.js';

/** How much of a definition tools/list shows. */
export const Descriptions: ServiceIdentifier<DescriptionStyle> = Symbol.for('castellan.Descriptions');

/** The built-in tools and the embedder's own. */
export function toolsModule(options: CastellanOptions = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ToolCatalogue).toConstantValue({ definitions: [...builtinTools, ...(options.tools ?? [])] });
    bind(Descriptions).toConstantValue(options.toolDescriptions ?? 'full');
  });
}
