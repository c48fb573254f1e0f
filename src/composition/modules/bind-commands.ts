import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import { DecideCall } from '../../application/permission/decide-call.js';
import { CommandParser } from '../../application/ports/command/command-parser.js';
import { CommandRunner } from '../../application/ports/command/command-runner.js';
import { OutputStore } from '../../application/ports/command/output-store.js';
import { ProgramLocator } from '../../application/ports/command/program-locator.js';
import { DeniedObjects } from '../../application/ports/file/denied-objects.js';
import { SafeFileSystem } from '../../application/ports/file/safe-file-system.js';
import { IdSource } from '../../application/ports/system/id-source.js';
import { Logger } from '../../application/ports/system/logger.js';
import { MachineFacts } from '../../application/ports/system/machine-facts.js';
import { Turns } from '../../application/ports/system/turns.js';
import { SpooledOutputStore } from '../../infrastructure/command/feedback/spooled-output-store.js';
import { PolicyProgramLocator } from '../../infrastructure/command/program/policy-program-locator.js';
import {
  LocalCommandRunner,
  PlatformSandbox,
} from '../../infrastructure/command/runner/local-command-runner.js';
import { DeniedObjectStore } from '../../infrastructure/command/workspace/denied-object-store.js';
import { OsMachineFacts } from '../../infrastructure/system/os-machine-facts.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import type { Configuration } from '../configuration/configuration.js';

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
  sandbox: PlatformSandbox,
): void {
  const { workspace, named, stateFolder, parser } = configuration;
  const environment = options.environment ?? process.env;
  const realHome = environment.HOME ?? homedir();
  bind(CommandParser).toConstantValue(parser);
  bind(ProgramLocator).toConstantValue(new PolicyProgramLocator({ workspace, environment, realHome }));
  bind(DecideCall)
    .toResolvedValue(
      (commands, programs, turns) =>
        new DecideCall({ root: workspace, named }, commands, programs, turns, process.platform === 'linux'),
      [CommandParser, ProgramLocator, Turns],
    )
    .inSingletonScope();
  bind(DeniedObjectStore)
    .toResolvedValue(
      (logger) => new DeniedObjectStore(stateFolder, workspace, (why) => logger.warn(why)),
      [Logger],
    )
    .inSingletonScope();
  bind(DeniedObjects).toService(DeniedObjectStore);
  bind(CommandRunner)
    .toResolvedValue(
      (places) => new LocalCommandRunner({ workspace, stateFolder, environment, realHome, places }, sandbox),
      [DeniedObjectStore],
    )
    .inSingletonScope();
  bind(OutputStore)
    .toResolvedValue(
      (files, ids) => new SpooledOutputStore(stateFolder, files, ids),
      [SafeFileSystem, IdSource],
    )
    .inSingletonScope();
  bind(MachineFacts).toConstantValue(new OsMachineFacts(environment));
}
