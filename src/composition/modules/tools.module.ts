import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { ToolCatalogue } from '../../application/tool/tool-catalogue.js';
import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { normaliseToolName } from '../../domain/tool/tool-name.js';
import type { Settings } from '../../infrastructure/config/settings.js';
import type { DescriptionStyle } from '../../presentation/docs/tool-description.js';
import { builtinTools } from '../../presentation/tools/builtin-tools.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import type { Configuration } from '../configuration/configuration.js';

/** How much of a definition tools/list shows. */
export const Descriptions: ServiceIdentifier<DescriptionStyle> = Symbol.for('castellan.Descriptions');

/** The built-in tools and the embedder's own. Without categories there is nothing for the knowledge tools. */
export function toolsModule(configuration: Configuration, options: CastellanOptions = {}): ContainerModule {
  const { settings } = configuration;
  const knows = Object.keys(settings.categories).length > 0;
  const all = [
    ...builtinTools.filter(({ category }) => knows || category !== 'knowledge'),
    ...(options.tools ?? []),
  ];
  return new ContainerModule(({ bind }) => {
    bind(ToolCatalogue).toConstantValue({ definitions: all.filter(chosenBy(settings.tools)) });
    bind(Descriptions).toConstantValue(options.toolDescriptions ?? settings.toolDescriptions);
  });
}

/** `tools: { include, exclude }` of the settings, by name or category. */
function chosenBy({ include, exclude }: Settings['tools']): (definition: ToolDefinition) => boolean {
  const listed = (names: readonly string[], { name, category }: ToolDefinition) =>
    names.includes(category) || names.some((entry) => normaliseToolName(entry) === normaliseToolName(name));
  return (definition) =>
    (include === undefined || listed(include, definition)) && !listed(exclude, definition);
}
