import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import { CallAuthoriser } from '../application/permission/call-authoriser.js';
import { CommandGrounds } from '../application/ports/command-ground.js';
import { CommandParser } from '../application/ports/command-parser.js';
import { CommandSandbox, UncontainedSandbox } from '../application/ports/command-sandbox.js';
import { DeniedPlaces } from '../application/ports/denied-places.js';
import { IdSource } from '../application/ports/id-source.js';
import { Logger } from '../application/ports/logger.js';
import { MachineFacts } from '../application/ports/machine-facts.js';
import { OutputStore } from '../application/ports/output-store.js';
import { ProgramLocator } from '../application/ports/program-locator.js';
import { SafeFileSystem } from '../application/ports/safe-file-system.js';
import { LazyCommandGrounds } from '../infrastructure/command/lazy-command-grounds.js';
import { SpooledOutputStore } from '../infrastructure/command/spooled-output-store.js';
import { RememberedPlaces } from '../infrastructure/command/tree/remembered-places.js';
import { LazyUnsandboxed } from '../infrastructure/sandbox/lazy-unsandboxed.js';
import { PlatformSandbox } from '../infrastructure/sandbox/platform-sandbox.js';
import { PolicyProgramLocator } from '../infrastructure/sandbox/policy-program-locator.js';
import { OsMachineFacts } from '../infrastructure/system/os-machine-facts.js';
import type { CastellanOptions } from './castellan-options.js';
import type { Configuration } from './configuration.js';

type Bind = ContainerModuleLoadOptions['bind'];

/** The sandbox of this machine, asked for at the first command. */
export function platformSandbox({ stateFolder }: Configuration, options: CastellanOptions): PlatformSandbox {
  const environment = options.environment ?? process.env;
  return new PlatformSandbox({
    searchPath: environment.PATH ?? '',
    realHome: environment.HOME ?? homedir(),
    stateFolder: join(stateFolder, 'sandbox'),
  });
}

export function bindCommands(
  bind: Bind,
  configuration: Configuration,
  options: CastellanOptions,
  sandbox: CommandSandbox,
): void {
  const { workspace, named, stateFolder, parser } = configuration;
  const environment = options.environment ?? process.env;
  const realHome = environment.HOME ?? homedir();
  bind(CommandParser).toConstantValue(parser);
  bind(ProgramLocator).toConstantValue(new PolicyProgramLocator({ workspace, environment, realHome }));
  bind(CallAuthoriser)
    .toResolvedValue(
      (commands, programs) => new CallAuthoriser({ root: workspace, named }, commands, programs),
      [CommandParser, ProgramLocator],
    )
    .inSingletonScope();
  bind(RememberedPlaces)
    .toResolvedValue(
      (logger) => new RememberedPlaces(stateFolder, workspace, (why) => logger.warn(why)),
      [Logger],
    )
    .inSingletonScope();
  bind(DeniedPlaces).toService(RememberedPlaces);
  bind(CommandGrounds)
    .toResolvedValue(
      (places) =>
        new LazyCommandGrounds({
          workspace,
          stateFolder,
          environment,
          realHome,
          places,
        }),
      [RememberedPlaces],
    )
    .inSingletonScope();
  bind(CommandSandbox).toConstantValue(sandbox);
  bind(UncontainedSandbox).toConstantValue(new LazyUnsandboxed());
  bind(OutputStore)
    .toResolvedValue(
      (files, ids) => new SpooledOutputStore(stateFolder, files, ids),
      [SafeFileSystem, IdSource],
    )
    .inSingletonScope();
  bind(MachineFacts).toConstantValue(new OsMachineFacts(environment));
}
