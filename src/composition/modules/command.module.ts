import { homedir } from 'node:os';
import { join } from 'node:path';
import { BackgroundProcesses } from '../../application/command/background/background-processes.js';
import { ListProcessesHandler } from '../../application/command/background/list-processes.js';
import { ReadProcessOutputHandler } from '../../application/command/background/read-process-output.js';
import { StopProcessHandler } from '../../application/command/background/stop-process.js';
import { WriteProcessInputHandler } from '../../application/command/background/write-process-input.js';
import { ChooseSandbox } from '../../application/command/choose-sandbox.js';
import { CommandConnections } from '../../application/command/command-connections.js';
import { ExecuteCommandLineHandler } from '../../application/command/execute-command-line.js';
import { GetSandboxStatusHandler } from '../../application/command/get-sandbox-status.js';
import { GetSystemInfoHandler } from '../../application/command/get-system-info.js';
import { PrepareCommands } from '../../application/command/prepare-commands.js';
import { RunningCommands } from '../../application/command/running-commands.js';
import { SessionCommands } from '../../application/command/session-commands.js';
import { SessionTmpFolders } from '../../application/command/session-tmp-folders.js';
import { SuperviseCommand } from '../../application/command/supervise-command.js';
import { CommandParser } from '../../application/ports/command/command-parser.js';
import { CommandRunner } from '../../application/ports/command/command-runner.js';
import { OutputStore } from '../../application/ports/command/output-store.js';
import { ProgramLocator } from '../../application/ports/command/program-locator.js';
import { DeniedObjects } from '../../application/ports/file/denied-objects.js';
import { SafeFileSystem } from '../../application/ports/file/safe-file-system.js';
import { OwnTmpFolders } from '../../application/ports/session/own-tmp-folders.js';
import { IdSource } from '../../application/ports/system/id-source.js';
import { Logger } from '../../application/ports/system/logger.js';
import { MachineFacts } from '../../application/ports/system/machine-facts.js';
import { SpooledOutputStore } from '../../infrastructure/command/feedback/spooled-output-store.js';
import { PolicyProgramLocator } from '../../infrastructure/command/program/policy-program-locator.js';
import {
  LocalCommandRunner,
  PlatformSandbox,
} from '../../infrastructure/command/runner/local-command-runner.js';
import { DeniedObjectStore } from '../../infrastructure/command/workspace/denied-object-store.js';
import { OsMachineFacts } from '../../infrastructure/system/os-machine-facts.js';
import { bindStage } from '../server/lifecycle.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';

/** It looks at the machine at the first command. */
export function platformSandbox(
  stateFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
): PlatformSandbox {
  return new PlatformSandbox({
    searchPath: environment.PATH ?? '',
    realHome: environment.HOME ?? homedir(),
    stateFolder: join(stateFolder, 'sandbox'),
  });
}

/** Programs that agents run, and the sandbox that holds them. */
export function commandModule(bind: Bind, { configuration, environment }: ServerParts): void {
  const { workspace, stateFolder, parser } = configuration;
  const realHome = environment.HOME ?? homedir();
  bind(CommandParser).toConstantValue(parser);
  bind(ProgramLocator).toConstantValue(new PolicyProgramLocator({ workspace, environment, realHome }));
  bind(PlatformSandbox).toConstantValue(platformSandbox(stateFolder, environment));
  bind(DeniedObjectStore)
    .toResolvedValue(
      (logger) => new DeniedObjectStore(stateFolder, workspace, (why) => logger.warn(why)),
      [Logger],
    )
    .inSingletonScope();
  bind(DeniedObjects).toService(DeniedObjectStore);
  bind(CommandRunner)
    .toResolvedValue(
      (places, sandbox) =>
        new LocalCommandRunner({ workspace, stateFolder, environment, realHome, places }, sandbox),
      [DeniedObjectStore, PlatformSandbox],
    )
    .inSingletonScope();
  bind(OutputStore)
    .toResolvedValue(
      (files, ids) => new SpooledOutputStore(stateFolder, files, ids),
      [SafeFileSystem, IdSource],
    )
    .inSingletonScope();
  bind(MachineFacts).toConstantValue(new OsMachineFacts(environment));
  bindUses(bind);
  bindStage(bind, 'commands', {
    end: async (server) => {
      await server.get(SessionCommands).close();
      await server.get(CommandRunner).close();
    },
  });
  bindStage(bind, 'sandbox', { end: (server) => server.get(PlatformSandbox).close() });
}

function bindUses(bind: Bind): void {
  bindSelves(bind, ChooseSandbox, PrepareCommands, RunningCommands, SessionCommands, SuperviseCommand);
  bindSelves(bind, ExecuteCommandLineHandler, GetSandboxStatusHandler, GetSystemInfoHandler);
  bindSelves(bind, BackgroundProcesses, CommandConnections, ListProcessesHandler, ReadProcessOutputHandler);
  bindSelves(bind, StopProcessHandler, WriteProcessInputHandler);
  bind(OwnTmpFolders).to(SessionTmpFolders).inSingletonScope();
}
