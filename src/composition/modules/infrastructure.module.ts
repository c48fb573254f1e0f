import { isatty } from 'node:tty';
import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { BaseBudget, DEFAULT_BUDGET } from '../../application/call/call-budget.js';
import { ReadBudget } from '../../application/file/read-budget.js';
import { ArgumentDigest } from '../../application/ports/audit/argument-digest-source.js';
import { AuditLog } from '../../application/ports/audit/audit-log.js';
import { AuditReader } from '../../application/ports/audit/audit-reader.js';
import { Redactor, ResultRedactor } from '../../application/ports/audit/redactor.js';
import { SafeFileSystem } from '../../application/ports/file/safe-file-system.js';
import { ConsentMemory } from '../../application/ports/permission/consent-memory.js';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { TrustStore } from '../../application/ports/permission/trust-store.js';
import { ConsumedStates } from '../../application/ports/session/consumed-states.js';
import { InstanceLink } from '../../application/ports/session/instance-link.js';
import { SessionDirectory } from '../../application/ports/session/session-directory.js';
import { SessionStore } from '../../application/ports/session/session-store.js';
import { WorkflowStore } from '../../application/ports/session/workflow-store.js';
import { CallObserver } from '../../application/ports/system/call-observer.js';
import { Clock } from '../../application/ports/system/clock.js';
import { IdSource } from '../../application/ports/system/id-source.js';
import { Logger, type LogLevel } from '../../application/ports/system/logger.js';
import { SharedState } from '../../application/ports/system/shared-state.js';
import { Timer } from '../../application/ports/system/timer.js';
import { Turns } from '../../application/ports/system/turns.js';
import { Workspace } from '../../application/ports/system/workspace.js';
import { CallGate } from '../../application/ports/tool/call-gate.js';
import { CircuitBreakers } from '../../application/ports/tool/circuit-breakers.js';
import { InputValidator } from '../../application/ports/tool/input-validator.js';
import { RateLimits } from '../../application/ports/tool/rate-limits.js';
import { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import { ToolSandbox } from '../../application/ports/tool/tool-sandbox.js';
import { ToolStatistics } from '../../application/ports/tool/tool-statistics.js';
import { ToolNaming } from '../../application/tool/tool-naming.js';
import { parseToolPrefix } from '../../domain/tool/tool-name.js';
import type { PlatformSandbox } from '../../infrastructure/command/runner/local-command-runner.js';
import type { LogFormat } from '../../infrastructure/config/settings.js';
import { CallObservers } from '../../infrastructure/observability/call-observers.js';
import { FileAuditReader } from '../../infrastructure/observability/file-audit-reader.js';
import { LazyLogger } from '../../infrastructure/observability/lazy-logger.js';
import type { LogSink } from '../../infrastructure/observability/log-sink.js';
import { PolicyRedaction } from '../../infrastructure/observability/policy-redaction.js';
import { RedactingLogger } from '../../infrastructure/observability/redacting-logger.js';
import { requestLog } from '../../infrastructure/observability/request-log.js';
import { SwitchableRedactor } from '../../infrastructure/observability/switchable-redactor.js';
import { InMemoryConsentMemory } from '../../infrastructure/permission/in-memory-consent-memory.js';
import { InMemoryConsumedStates } from '../../infrastructure/session/in-memory-consumed-states.js';
import { InMemorySessionDirectory } from '../../infrastructure/session/in-memory-session-directory.js';
import { InMemorySessionStore } from '../../infrastructure/session/in-memory-session-store.js';
import { InMemoryWorkflowStore } from '../../infrastructure/session/in-memory-workflow-store.js';
import { InProcessInstanceLink } from '../../infrastructure/session/in-process-instance-link.js';
import { UnsharedState } from '../../infrastructure/session/unshared-state.js';
import { EVENT_LOOP } from '../../infrastructure/system/immediate-turns.js';
import { RandomIdSource } from '../../infrastructure/system/random-id-source.js';
import { sha256Digest } from '../../infrastructure/system/sha256-digest.js';
import { SystemClock } from '../../infrastructure/system/system-clock.js';
import { SystemTimer } from '../../infrastructure/system/system-timer.js';
import { CockatielBreakers } from '../../infrastructure/tool/cockatiel-breakers.js';
import { InMemoryCallGate } from '../../infrastructure/tool/in-memory-call-gate.js';
import { InMemoryRateLimits } from '../../infrastructure/tool/in-memory-rate-limits.js';
import { InMemoryToolRegistry } from '../../infrastructure/tool/in-memory-tool-registry.js';
import { InMemoryToolStatistics } from '../../infrastructure/tool/in-memory-tool-statistics.js';
import { InProcessToolSandbox } from '../../infrastructure/tool/in-process-tool-sandbox.js';
import { TypeboxInputValidator } from '../../infrastructure/tool/typebox-input-validator.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import type { Configuration } from '../configuration/configuration.js';
import { orThrow } from '../configuration/configuration-error.js';
import { Lifecycle } from '../server/lifecycle.js';
import { standardError } from '../server/standard-error.js';
import { bindApprovals } from './bind-approvals.js';
import { bindCommands, platformSandbox } from './bind-commands.js';
import { bindFiles } from './bind-files.js';
import { bindKnowledge } from './bind-knowledge.js';
import { bindPrompts } from './bind-prompts.js';
import { bindFlags } from './flag-bindings.js';
import { bindModel } from './model-bindings.js';
import { openAuditLog } from './open-audit-log.js';

type Bind = ContainerModuleLoadOptions['bind'];

const STDERR = 2;

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
    bindFiles(bind, configuration.stateFolder, (options.environment ?? process.env).HOME, sandbox);
    bindApprovals(bind, configuration);
    bindKnowledge(bind, configuration);
    bindPrompts(bind, configuration);
    bindAdapters(bind);
    bindObserver(bind, configuration.settings.log.requests);
    bindFlags(bind, configuration, options);
    bindModel(bind, configuration, options);
  });
}

function bindConfiguration(bind: Bind, configuration: Configuration, options: CastellanOptions): void {
  const { settings, workspace, named } = configuration;
  const environment = options.environment ?? process.env;
  bind(BaseBudget).toConstantValue({ ...DEFAULT_BUDGET, ...options.budget });
  bind(ReadBudget).toConstantValue({
    get bytes() {
      return options.readBytes ?? configuration.live.current.files.readBytes;
    },
    get tokens() {
      return options.answerTokens ?? configuration.live.current.answerTokens;
    },
  });
  bind(ToolNaming).toConstantValue({
    prefix: orThrow(
      parseToolPrefix(options.toolPrefix ?? environment.MCP_TOOL_PREFIX ?? settings.toolPrefix),
    ),
  });
  bind(Workspace).toConstantValue({ root: workspace, named });
  bind(PolicySource).toConstantValue(configuration.policy);
  bind(TrustStore).toConstantValue(configuration.trust);
}

function bindObservability(
  bind: Bind,
  configuration: Configuration,
  options: CastellanOptions,
  sandbox: PlatformSandbox,
): void {
  const { settings, stateFolder, policy, live } = configuration;
  const logs = new SwitchableRedactor();
  const results = new SwitchableRedactor();
  bind(Redactor).toConstantValue(logs);
  bind(ResultRedactor).toConstantValue(results);
  const level = () => options.logLevel ?? live.current.log.level;
  bind(Logger)
    .toResolvedValue(
      (redactor) =>
        new RedactingLogger(new LazyLogger(level, () => loadSink(level, settings.log.format)), redactor),
      [Redactor],
    )
    .inSingletonScope();
  bind(AuditLog)
    .toResolvedValue((redactor, logger) => openAuditLog(configuration, redactor, logger), [Redactor, Logger])
    .inSingletonScope();
  bind(AuditReader).toConstantValue(new FileAuditReader(stateFolder));
  bind(Lifecycle)
    .toResolvedValue(
      (audit, files, logger) =>
        new Lifecycle(
          configuration,
          new PolicyRedaction(policy, logs, results, logger),
          audit,
          files,
          logger,
          sandbox,
        ),
      [AuditLog, SafeFileSystem, Logger],
    )
    .inSingletonScope();
}

function bindObserver(bind: Bind, logged: boolean): void {
  bind(CallObserver)
    .toResolvedValue(
      (logger) => {
        const observers = new CallObservers();
        if (logged) observers.watch(requestLog(logger));
        return observers;
      },
      [Logger],
    )
    .inSingletonScope();
}

function bindAdapters(bind: Bind): void {
  bind(ArgumentDigest).toConstantValue(sha256Digest);
  bind(Timer).to(SystemTimer).inSingletonScope();
  bind(Clock).to(SystemClock).inSingletonScope();
  bind(Turns).toConstantValue(EVENT_LOOP);
  bind(IdSource).to(RandomIdSource).inSingletonScope();
  bind(SessionStore).to(InMemorySessionStore).inSingletonScope();
  bind(ConsumedStates).to(InMemoryConsumedStates).inSingletonScope();
  bind(SessionDirectory).to(InMemorySessionDirectory).inSingletonScope();
  bind(InstanceLink).to(InProcessInstanceLink).inSingletonScope();
  bind(SharedState).toConstantValue(new UnsharedState());
  bind(WorkflowStore).to(InMemoryWorkflowStore).inSingletonScope();
  bind(ConsentMemory).to(InMemoryConsentMemory).inSingletonScope();
  bind(RateLimits).to(InMemoryRateLimits).inSingletonScope();
  bind(ToolRegistry).to(InMemoryToolRegistry).inSingletonScope();
  bind(InputValidator).to(TypeboxInputValidator).inSingletonScope();
  bind(ToolSandbox).to(InProcessToolSandbox).inSingletonScope();
  bind(CallGate).to(InMemoryCallGate).inSingletonScope();
  bind(CircuitBreakers).to(CockatielBreakers).inSingletonScope();
  bind(ToolStatistics).to(InMemoryToolStatistics).inSingletonScope();
}

/** Words for a person at a terminal, lines for programs everywhere else. */
async function loadSink(level: () => LogLevel | 'silent', format: LogFormat | undefined): Promise<LogSink> {
  const watched = isatty(STDERR);
  if ((format ?? (watched ? 'text' : 'json')) === 'text') {
    const { terminalSink } = await import('../../infrastructure/observability/terminal-sink.js');
    return terminalSink({
      colour: watched && !process.env.NO_COLOR,
      // Where an error came from is for whoever looks for it.
      withStacks: () => ['trace', 'debug'].includes(level()),
      write: (line) => void standardError().write(line),
    });
  }
  const { pinoSink } = await import('../../infrastructure/observability/pino-sink.js');
  return pinoSink();
}
