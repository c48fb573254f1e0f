import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import { ToolSwitches } from '../../application/flag/tool-switches.js';
import { FlagSchemas } from '../../application/ports/flag/flag-schemas.js';
import { FlagStore } from '../../application/ports/flag/flag-store.js';
import { Logger } from '../../application/ports/system/logger.js';
import { FileFlagStore, type FlagFiles } from '../../infrastructure/flag/file-flag-store.js';
import { RedisFlagStore } from '../../infrastructure/flag/redis-flag-store.js';
import { TypeboxFlagSchemas } from '../../infrastructure/flag/typebox-flag-schemas.js';
import { isKernelFolder } from '../../infrastructure/state/state-folder.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import type { Configuration } from '../configuration/configuration.js';

type Bind = ContainerModuleLoadOptions['bind'];

export function bindFlags(bind: Bind, configuration: Configuration, options: CastellanOptions): void {
  const { settings, workspace } = configuration;
  const { flags = {}, environment = process.env } = options;
  bind(ToolSwitches).toConstantValue(flags.enabledBy ?? settings.tools.enabledBy);
  bind(FlagSchemas).toConstantValue(new TypeboxFlagSchemas({ ...settings.flags.schemas, ...flags.schemas }));
  const url = flags.redisUrl ?? environment.CASTELLAN_REDIS_URL ?? settings.redis.url;
  bind(FlagStore)
    .toResolvedValue(
      (logger) =>
        url === undefined
          ? new FileFlagStore(flagFilesOf(workspace, environment), logger)
          : new RedisFlagStore({ url, project: flags.project ?? settings.project.name ?? workspace }, logger),
      [Logger],
    )
    .inSingletonScope();
}

/** Project flags belong to the workspace, global ones to the user. */
export function flagFilesOf(
  workspace: string,
  environment: Readonly<Record<string, string | undefined>>,
): FlagFiles {
  // The XDG specification: a relative or empty value counts as unset; so does one where nothing can be kept.
  const given = environment.XDG_CONFIG_HOME ?? '';
  const usable = given.startsWith('/') && !isKernelFolder(given);
  const home = environment.HOME ?? '';
  const configuration = usable ? given : join(home.startsWith('/') ? home : homedir(), '.config');
  return {
    project: join(workspace, '.castellan', 'flags.json'),
    global: join(configuration, 'castellan', 'flags.json'),
  };
}
