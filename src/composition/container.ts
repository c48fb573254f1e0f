import { Container, type ContainerModule, type ServiceIdentifier } from 'inversify';
import { BaseBudget } from '../application/call/call-budget.js';
import { ReadBudget } from '../application/file/read-budget.js';
import { ToolSwitches } from '../application/flag/tool-switches.js';
import { KnowledgeSettings } from '../application/knowledge/knowledge-settings.js';
import { ModelDefaults } from '../application/model/model-defaults.js';
import { ArgumentDigest } from '../application/ports/audit/argument-digest-source.js';
import { AuditLog } from '../application/ports/audit/audit-log.js';
import { AuditReader } from '../application/ports/audit/audit-reader.js';
import { Redactor, ResultRedactor } from '../application/ports/audit/redactor.js';
import { CommandParser } from '../application/ports/command/command-parser.js';
import { CommandRunner } from '../application/ports/command/command-runner.js';
import { OutputStore } from '../application/ports/command/output-store.js';
import { ProgramLocator } from '../application/ports/command/program-locator.js';
import { ContentSearch } from '../application/ports/file/content-search.js';
import { DeniedObjects } from '../application/ports/file/denied-objects.js';
import { FileWalker } from '../application/ports/file/file-walker.js';
import { InodeScan } from '../application/ports/file/inode-scan.js';
import { SafeFileSystem } from '../application/ports/file/safe-file-system.js';
import { SharedLocks } from '../application/ports/file/shared-locks.js';
import { TextFormats } from '../application/ports/file/text-formats.js';
import { FlagSchemas } from '../application/ports/flag/flag-schemas.js';
import { FlagStore } from '../application/ports/flag/flag-store.js';
import { DocumentLibrary } from '../application/ports/knowledge/document-library.js';
import { DocumentSearch } from '../application/ports/knowledge/document-search.js';
import { DocumentWriter } from '../application/ports/knowledge/document-writer.js';
import { RuleChecker } from '../application/ports/knowledge/rule-checker.js';
import { LanguageModel } from '../application/ports/model/language-model.js';
import { TokenLedger } from '../application/ports/model/token-ledger.js';
import { ApprovalDesk } from '../application/ports/permission/approval-desk.js';
import { ConsentMemory } from '../application/ports/permission/consent-memory.js';
import { ConsentPrompt } from '../application/ports/permission/consent-prompt.js';
import { PolicySource } from '../application/ports/permission/policy-source.js';
import { TrustStore } from '../application/ports/permission/trust-store.js';
import { PromptSource } from '../application/ports/prompt/prompt-source.js';
import { ResourceNotices } from '../application/ports/resource/resource-notices.js';
import { ResourceProvider } from '../application/ports/resource/resource-provider.js';
import { ConsumedStates } from '../application/ports/session/consumed-states.js';
import { InstanceLink } from '../application/ports/session/instance-link.js';
import { SessionDirectory } from '../application/ports/session/session-directory.js';
import { SessionStore } from '../application/ports/session/session-store.js';
import { WorkflowStore } from '../application/ports/session/workflow-store.js';
import { CallObserver } from '../application/ports/system/call-observer.js';
import { Clock } from '../application/ports/system/clock.js';
import { IdSource } from '../application/ports/system/id-source.js';
import { Logger } from '../application/ports/system/logger.js';
import { MachineFacts } from '../application/ports/system/machine-facts.js';
import { SharedState } from '../application/ports/system/shared-state.js';
import { Timer } from '../application/ports/system/timer.js';
import { Workspace } from '../application/ports/system/workspace.js';
import { CallGate } from '../application/ports/tool/call-gate.js';
import { CircuitBreakers } from '../application/ports/tool/circuit-breakers.js';
import { InputValidator } from '../application/ports/tool/input-validator.js';
import { RateLimits } from '../application/ports/tool/rate-limits.js';
import { ToolRegistry } from '../application/ports/tool/tool-registry.js';
import { ToolSandbox } from '../application/ports/tool/tool-sandbox.js';
import { ToolStatistics } from '../application/ports/tool/tool-statistics.js';
import { ArgumentDefaults } from '../application/tool/argument-defaults.js';
import { ToolCatalogue } from '../application/tool/tool-catalogue.js';
import { ToolChoice } from '../application/tool/tool-choice.js';
import { ToolNaming } from '../application/tool/tool-naming.js';
import { ShownToolsets } from '../application/tool/toolsets.js';
import { ProtocolOptions } from '../presentation/mcp/surface/protocol-options.js';
import { applicationModule } from './application.module.js';
import type { CastellanOptions } from './configuration/castellan-options.js';
import type { Configuration } from './configuration/configuration.js';
import { infrastructureModule } from './modules/infrastructure.module.js';
import { presentationModule } from './modules/presentation.module.js';
import { Descriptions, toolsModule } from './modules/tools.module.js';
import { Lifecycle } from './server/lifecycle.js';

const REQUIRED: readonly ServiceIdentifier<unknown>[] = [
  Timer,
  ArgumentDefaults,
  ArgumentDigest,
  AuditLog,
  AuditReader,
  BaseBudget,
  ReadBudget,
  ShownToolsets,
  CallGate,
  CallObserver,
  CircuitBreakers,
  Clock,
  CommandRunner,
  ConsumedStates,
  ConsentMemory,
  ConsentPrompt,
  ApprovalDesk,
  InstanceLink,
  RateLimits,
  SessionDirectory,
  SharedLocks,
  SharedState,
  WorkflowStore,
  CommandParser,
  ContentSearch,
  DeniedObjects,
  Descriptions,
  DocumentLibrary,
  DocumentSearch,
  DocumentWriter,
  FileWalker,
  FlagSchemas,
  FlagStore,
  IdSource,
  InodeScan,
  InputValidator,
  KnowledgeSettings,
  LanguageModel,
  Lifecycle,
  Logger,
  MachineFacts,
  ModelDefaults,
  OutputStore,
  PolicySource,
  ProgramLocator,
  PromptSource,
  ProtocolOptions,
  Redactor,
  ResourceNotices,
  ResourceProvider,
  ResultRedactor,
  RuleChecker,
  SafeFileSystem,
  SessionStore,
  TextFormats,
  TokenLedger,
  ToolCatalogue,
  ToolChoice,
  ToolNaming,
  ToolRegistry,
  ToolSandbox,
  ToolStatistics,
  ToolSwitches,
  TrustStore,
  Workspace,
];

/** `shared`: the module of what several instances share, where there are several. */
export function createContainer(
  configuration: Configuration,
  options: CastellanOptions,
  shared?: ContainerModule,
): Container {
  const container = new Container();
  container.load(
    infrastructureModule(configuration, options),
    applicationModule(),
    presentationModule(configuration, options),
    toolsModule(configuration, options),
  );
  if (shared !== undefined) container.load(shared);
  options.configure?.(container);
  return container;
}

/** Asks for every port whether it is bound; resolving instead would wake the lazy ones. */
export function checkBindings(container: Container): void {
  const missing = REQUIRED.filter((token) => !container.isBound(token));
  if (missing.length === 0) return;
  throw new Error(
    `Castellan cannot start: nothing is bound to ${missing.map(String).join(', ')}. ` +
      'Load all four of its modules, or bind these yourself.',
  );
}
