import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { ToolCatalogue } from '../../application/tool/tool-catalogue.js';
import { ToolChoice } from '../../application/tool/tool-choice.js';
import { ShownToolsets } from '../../application/tool/toolsets.js';
import type { Settings } from '../../infrastructure/config/settings.js';
import { flagsExist } from '../../infrastructure/flag/flag-files.js';
import type { DescriptionStyle } from '../../presentation/docs/tool-description.js';
import { builtinTools } from '../../presentation/tools/builtin-tools.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import type { Configuration } from '../configuration/configuration.js';
import { parseSets } from '../configuration/environment-settings.js';
import { flagFilesOf } from './flag-bindings.js';

/** How much of a definition tools/list shows. */
export const Descriptions: ServiceIdentifier<DescriptionStyle> = Symbol.for('castellan.Descriptions');

/** The built-in tools and the embedder's own. Without categories there is nothing for the knowledge tools. */
export function toolsModule(configuration: Configuration, options: CastellanOptions = {}): ContainerModule {
  const { settings } = configuration;
  const knows = Object.keys(settings.categories).length > 0;
  const choice = new ToolChoice(settings.tools);
  const all = [
    ...builtinTools.filter(({ category }) => knows || category !== 'knowledge'),
    ...(options.tools ?? []),
  ];
  return new ContainerModule(({ bind }) => {
    bind(ToolChoice).toConstantValue(choice);
    bind(ToolCatalogue).toConstantValue({ definitions: all.filter((tool) => choice.admits(tool)) });
    bind(ShownToolsets).toConstantValue(shownToolsets(configuration, options));
    bind(Descriptions).toConstantValue(options.toolDescriptions ?? settings.toolDescriptions);
  });
}

/** The sets that were asked for, and what this workspace has. */
function shownToolsets(configuration: Configuration, options: CastellanOptions): ShownToolsets {
  const { settings, workspace } = configuration;
  const chosen =
    options.toolsets === undefined ? settings.tools.sets : parseSets(options.toolsets, '--toolsets');
  const environment = options.environment ?? process.env;
  const hasFlags = usesFlags(settings, options) || flagsExist(flagFilesOf(workspace, environment));
  return { hasFlags, ...(chosen && { chosen: new Set(chosen) }) };
}

function usesFlags(
  { project, flags, tools, redis, categories }: Settings,
  options: CastellanOptions,
): boolean {
  return (
    project.name !== undefined ||
    options.flags !== undefined ||
    redis.url !== undefined ||
    Object.keys(flags.schemas).length > 0 ||
    Object.keys(tools.enabledBy).length > 0 ||
    Object.values(categories).some(({ enabledBy }) => enabledBy !== undefined)
  );
}
