import type { ServiceIdentifier } from 'inversify';
import { ResourceProvider } from '../../application/ports/resource/resource-provider.js';
import { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import { ToolStatistics } from '../../application/ports/tool/tool-statistics.js';
import { ResourceCatalogue } from '../../application/resource/resource-catalogue.js';
import { GetToolStatsHandler } from '../../application/tool/get-tool-stats.js';
import { ListToolsHandler } from '../../application/tool/list-tools.js';
import { ToolCatalogue } from '../../application/tool/tool-catalogue.js';
import { ToolChoice } from '../../application/tool/tool-choice.js';
import { ToolDefinitions } from '../../application/tool/tool-definitions.js';
import { ToolNaming } from '../../application/tool/tool-naming.js';
import { ToolVisibility } from '../../application/tool/tool-visibility.js';
import { ShownToolsets, Toolsets } from '../../application/tool/toolsets.js';
import { parseToolPrefix } from '../../domain/tool/tool-name.js';
import type { Settings } from '../../infrastructure/config/settings.js';
import { flagsExist } from '../../infrastructure/flag/flag-files.js';
import { InMemoryToolRegistry } from '../../infrastructure/tool/in-memory-tool-registry.js';
import { InMemoryToolStatistics } from '../../infrastructure/tool/in-memory-tool-statistics.js';
import type { DescriptionStyle } from '../../presentation/docs/tool-description.js';
import { StatsResource } from '../../presentation/resources/stats-resource.js';
import { ToolResources } from '../../presentation/resources/tool-resources.js';
import { builtinTools } from '../../presentation/tools/builtin-tools.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import { orThrow } from '../configuration/configuration-error.js';
import { parseSets } from '../configuration/environment-settings.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';
import { flagFilesOf } from './flag.module.js';

/** How much of a definition tools/list shows. */
export const Descriptions: ServiceIdentifier<DescriptionStyle> = Symbol.for('castellan.Descriptions');

/** The built-in tools and the embedder's own. Without categories there is nothing for the knowledge tools. */
export function toolModule(bind: Bind, server: ServerParts): void {
  const { configuration, options, environment } = server;
  const { settings } = configuration;
  const knows = Object.keys(settings.categories).length > 0;
  const choice = new ToolChoice(settings.tools);
  const all = [
    ...builtinTools.filter(({ category }) => knows || category !== 'knowledge'),
    ...(options.tools ?? []),
  ];
  bind(ToolChoice).toConstantValue(choice);
  bind(ToolCatalogue).toConstantValue({ definitions: all.filter((tool) => choice.admits(tool)) });
  bind(ToolNaming).toConstantValue({
    prefix: orThrow(
      parseToolPrefix(options.toolPrefix ?? environment.MCP_TOOL_PREFIX ?? settings.toolPrefix),
    ),
  });
  bind(ShownToolsets).toConstantValue(shownToolsets(server));
  bind(Descriptions).toConstantValue(options.toolDescriptions ?? settings.toolDescriptions);
  bind(ToolRegistry).to(InMemoryToolRegistry).inSingletonScope();
  bind(ToolStatistics).to(InMemoryToolStatistics).inSingletonScope();
  bind(ResourceProvider).to(ToolResources).inSingletonScope();
  bind(ResourceProvider).to(StatsResource).inSingletonScope();
  bindSelves(
    bind,
    ResourceCatalogue,
    GetToolStatsHandler,
    ListToolsHandler,
    ToolDefinitions,
    ToolVisibility,
    Toolsets,
  );
}

/** The sets that were asked for, and what this workspace has. */
function shownToolsets({ configuration, options, environment }: ServerParts): ShownToolsets {
  const { settings, workspace } = configuration;
  const chosen =
    options.toolsets === undefined ? settings.tools.sets : parseSets(options.toolsets, '--toolsets');
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
