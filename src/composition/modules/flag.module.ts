import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { GetFlagHandler } from '../../application/flag/get-flag.js';
import { ListFlagsHandler } from '../../application/flag/list-flags.js';
import { SetFlagHandler } from '../../application/flag/set-flag.js';
import { ToolSwitchboard } from '../../application/flag/tool-switchboard.js';
import { ToolSwitches } from '../../application/flag/tool-switches.js';
import { FlagSchemas } from '../../application/ports/flag/flag-schemas.js';
import { FlagStore } from '../../application/ports/flag/flag-store.js';
import { Logger } from '../../application/ports/system/logger.js';
import { FileFlagStore, type FlagFiles } from '../../infrastructure/flag/file-flag-store.js';
import { RedisFlagStore } from '../../infrastructure/flag/redis-flag-store.js';
import { TypeboxFlagSchemas } from '../../infrastructure/flag/typebox-flag-schemas.js';
import { configurationHome } from '../../infrastructure/state/configuration-home.js';
import { bindStage } from '../server/lifecycle.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';

/** Flags, and the tools that they switch. */
export function flagModule(bind: Bind, { configuration, options, environment }: ServerParts): void {
  const { settings, workspace } = configuration;
  const { flags = {} } = options;
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
  bindSelves(bind, GetFlagHandler, ListFlagsHandler, SetFlagHandler, ToolSwitchboard);
  bindStage(bind, 'tool switches', {
    begin: (server) => server.get(ToolSwitchboard).start(),
    end: (server) => server.get(ToolSwitchboard).stop(),
  });
  bindStage(bind, 'flags', { end: (server) => server.get(FlagStore).close() });
}

/** Project flags belong to the workspace, global ones to the user. */
export function flagFilesOf(
  workspace: string,
  environment: Readonly<Record<string, string | undefined>>,
): FlagFiles {
  const { HOME: home = '' } = environment;
  const configuration = configurationHome(environment, isAbsolute(home) ? home : homedir());
  return {
    project: join(workspace, '.castellan', 'flags.json'),
    global: join(configuration, 'castellan', 'flags.json'),
  };
}
