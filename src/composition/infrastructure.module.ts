import { homedir } from 'node:os';
import { join } from 'node:path';
import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { CallAuthoriser } from '../application/permission/call-authoriser.js';
import { Alarm } from '../application/ports/alarm.js';
import { ArgumentDigest } from '../application/ports/argument-digest-source.js';
import { AuditLog } from '../application/ports/audit-log.js';
import { AuditReader } from '../application/ports/audit-reader.js';
import { CallGate } from '../application/ports/call-gate.js';
import { CircuitBreakers } from '../application/ports/circuit-breakers.js';
import { Clock } from '../application/ports/clock.js';
import { CommandGrounds } from '../application/ports/command-ground.js';
import { CommandParser } from '../application/ports/command-parser.js';
import { CommandSandbox, UncontainedSandbox } from '../application/ports/command-sandbox.js';
import { IdSource } from '../application/ports/id-source.js';
import { InputValidator } from '../application/ports/input-validator.js';
import { Logger } from '../application/ports/logger.js';
import { MachineFacts } from '../application/ports/machine-facts.js';
import { OutputStore } from '../application/ports/output-store.js';
import { PolicySource } from '../application/ports/policy-source.js';
import { ProgramLocator } from '../application/ports/program-locator.js';
import { Redactor, ResultRedactor } from '../application/ports/redactor.js';
import { SessionStore } from '../application/ports/session-store.js';
import { ToolRegistry } from '../application/ports/tool-registry.js';
import { ToolSandbox } from '../application/ports/tool-sandbox.js';
import { ToolStatistics } from '../application/ports/tool-statistics.js';
import { TrustStore } from '../application/ports/trust-store.js';
import { Workspace } from '../application/ports/workspace.js';
import { BaseBudget, DEFAULT_BUDGET } from '../application/tool/call-budget.js';
import { ToolNaming } from '../application/tool/tool-naming.js';
import { LazyCommandGrounds } from '../infrastructure/command/lazy-command-grounds.js';
import { SpooledOutputStore } from '../infrastructure/command/spooled-output-store.js';
import { FileAuditReader } from '../infrastructure/observability/file-audit-reader.js';
import { JsonlAuditLog } from '../infrastructure/observability/jsonl-audit-log.js';
import { PinoLogger } from '../infrastructure/observability/pino-logger.js';
import { PolicyRedaction } from '../infrastructure/observability/policy-redaction.js';
import { SwitchableRedactor } from '../infrastructure/observability/switchable-redactor.js';
import { InProcessToolSandbox } from '../infrastructure/sandbox/in-process-tool-sandbox.js';
import { LazyUnsandboxed } from '../infrastructure/sandbox/lazy-unsandboxed.js';
import { PlatformSandbox } from '../infrastructure/sandbox/platform-sandbox.js';
import { PolicyProgramLocator } from '../infrastructure/sandbox/policy-program-locator.js';
import { InMemorySessionStore } from '../infrastructure/session/in-memory-session-store.js';
import { OsMachineFacts } from '../infrastructure/system/os-machine-facts.js';
import { RandomIdSource } from '../infrastructure/system/random-id-source.js';
import { sha256Digest } from '../infrastructure/system/sha256-digest.js';
import { SystemAlarm } from '../infrastructure/system/system-alarm.js';
import { SystemClock } from '../infrastructure/system/system-clock.js';
import { CockatielBreakers } from '../infrastructure/tool/cockatiel-breakers.js';
import { InMemoryCallGate } from '../infrastructure/tool/in-memory-call-gate.js';
import { InMemoryToolRegistry } from '../infrastructure/tool/in-memory-tool-registry.js';
import { InMemoryToolStatistics } from '../infrastructure/tool/in-memory-tool-statistics.js';
import { TypeboxInputValidator } from '../infrastructure/tool/typebox-input-validator.js';
import type { CastellanOptions } from './castellan-options.js';
import type { Configuration } from './configuration.js';
import { bindFlags } from './flag-bindings.js';
import { Lifecycle } from './lifecycle.js';
import { bindModel } from './model-bindings.js';

type Bind = ContainerModuleLoadOptions['bind'];

/** The adapters, and the values that configuration cuts up for them. */
export function infrastructureModule(
  configuration: Configuration,
  options: CastellanOptions = {},
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const sandbox = platformSandbox(configuration, options);
    bindConfiguration(bind, configuration, options);
    bindObservability(bind, configuration, options, sandbox);
    bindCommands(bind, configuration, options, sandbox);
    bindAdapters(bind);
    bindFlags(bind, configuration, options);
    bindModel(bind, configuration, options);
  });
}

function bindConfiguration(bind: Bind, configuration: Configuration, options: CastellanOptions): void {
  const { settings, workspace } = configuration;
  const environment = options.environment ?? process.env;
  bind(BaseBudget).toConstantValue({ ...DEFAULT_BUDGET, ...options.budget });
  bind(ToolNaming).toConstantValue({
    prefix: environment.MCP_TOOL_PREFIX ?? options.toolPrefix ?? settings.toolPrefix,
  });
  bind(Workspace).toConstantValue({ root: workspace });
  bind(PolicySource).toConstantValue(configuration.policy);
  bind(TrustStore).toConstantValue(configuration.trust);
}

function platformSandbox({ stateFolder }: Configuration, options: CastellanOptions): PlatformSandbox {
  const environment = options.environment ?? process.env;
  return new PlatformSandbox({
    searchPath: environment.PATH ?? '',
    realHome: environment.HOME ?? homedir(),
    stateFolder: join(stateFolder, 'sandbox'),
  });
}

function bindCommands(
  bind: Bind,
  configuration: Configuration,
  options: CastellanOptions,
  sandbox: CommandSandbox,
): void {
  const { workspace, stateFolder, parser } = configuration;
  const environment = options.environment ?? process.env;
  const realHome = environment.HOME ?? homedir();
  bind(CommandParser).toConstantValue(parser);
  bind(ProgramLocator).toConstantValue(new PolicyProgramLocator({ workspace, environment, realHome }));
  bind(CallAuthoriser)
    .toResolvedValue(
      (commands, programs) => new CallAuthoriser(workspace, commands, programs),
      [CommandParser, ProgramLocator],
    )
    .inSingletonScope();
  bind(CommandGrounds)
    .toResolvedValue(
      (logger) =>
        new LazyCommandGrounds({
          workspace,
          stateFolder,
          environment,
          realHome,
          onProblem: (why) => logger.warn(why),
        }),
      [Logger],
    )
    .inSingletonScope();
  bind(CommandSandbox).toConstantValue(sandbox);
  bind(UncontainedSandbox).toConstantValue(new LazyUnsandboxed());
  bind(OutputStore).toConstantValue(
    new SpooledOutputStore(stateFolder, async () => {
      const { GuardedFileSystem } = await import('../infrastructure/files/guarded-file-system.js');
      return new GuardedFileSystem(stateFolder);
    }),
  );
  bind(MachineFacts).toConstantValue(new OsMachineFacts(environment));
}

function bindObservability(
  bind: Bind,
  configuration: Configuration,
  options: CastellanOptions,
  sandbox: PlatformSandbox,
): void {
  const { settings, stateFolder, policy } = configuration;
  const logs = new SwitchableRedactor();
  const results = new SwitchableRedactor();
  bind(Redactor).toConstantValue(logs);
  bind(ResultRedactor).toConstantValue(results);
  bind(Logger)
    .toResolvedValue(
      (redactor) => new PinoLogger(options.logLevel ?? settings.log.level, redactor),
      [Redactor],
    )
    .inSingletonScope();
  bind(AuditLog)
    .toResolvedValue(
      (redactor, logger) =>
        new JsonlAuditLog(
          { stateFolder, onProblem: (why) => logger.warn('The audit log', { why }) },
          redactor,
        ),
      [Redactor, Logger],
    )
    .inSingletonScope();
  bind(AuditReader).toConstantValue(new FileAuditReader(stateFolder));
  bind(Lifecycle)
    .toResolvedValue(
      (audit, logger) =>
        new Lifecycle(
          configuration,
          new PolicyRedaction(policy, logs, results, logger),
          audit,
          logger,
          sandbox,
        ),
      [AuditLog, Logger],
    )
    .inSingletonScope();
}

function bindAdapters(bind: Bind): void {
  bind(ArgumentDigest).toConstantValue(sha256Digest);
  bind(Alarm).to(SystemAlarm).inSingletonScope();
  bind(Clock).to(SystemClock).inSingletonScope();
  bind(IdSource).to(RandomIdSource).inSingletonScope();
  bind(SessionStore).to(InMemorySessionStore).inSingletonScope();
  bind(ToolRegistry).to(InMemoryToolRegistry).inSingletonScope();
  bind(InputValidator).to(TypeboxInputValidator).inSingletonScope();
  bind(ToolSandbox).to(InProcessToolSandbox).inSingletonScope();
  bind(CallGate).to(InMemoryCallGate).inSingletonScope();
  bind(CircuitBreakers).to(CockatielBreakers).inSingletonScope();
  bind(ToolStatistics).to(InMemoryToolStatistics).inSingletonScope();
}
