import { Container, type ServiceIdentifier } from 'inversify';
import { ToolSwitches } from '../application/flag/tool-switches.js';
import { KnowledgeSettings } from '../application/knowledge/knowledge-settings.js';
import { ModelDefaults } from '../application/model/model-defaults.js';
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
import { ContentSearch } from '../application/ports/content-search.js';
import { DeniedPlaces } from '../application/ports/denied-places.js';
import { DocumentLibrary } from '../application/ports/document-library.js';
import { DocumentSearch } from '../application/ports/document-search.js';
import { DocumentWriter } from '../application/ports/document-writer.js';
import { FileWalker } from '../application/ports/file-walker.js';
import { FlagSchemas } from '../application/ports/flag-schemas.js';
import { FlagStore } from '../application/ports/flag-store.js';
import { IdSource } from '../application/ports/id-source.js';
import { InodeScan } from '../application/ports/inode-scan.js';
import { InputValidator } from '../application/ports/input-validator.js';
import { LanguageModel } from '../application/ports/language-model.js';
import { Logger } from '../application/ports/logger.js';
import { MachineFacts } from '../application/ports/machine-facts.js';
import { OutputStore } from '../application/ports/output-store.js';
import { PolicySource } from '../application/ports/policy-source.js';
import { ProgramLocator } from '../application/ports/program-locator.js';
import { PromptSource } from '../application/ports/prompt-source.js';
import { Redactor, ResultRedactor } from '../application/ports/redactor.js';
import { ResourceNotices } from '../application/ports/resource-notices.js';
import { ResourceProvider } from '../application/ports/resource-provider.js';
import { RuleChecker } from '../application/ports/rule-checker.js';
import { SafeFileSystem } from '../application/ports/safe-file-system.js';
import { SessionStore } from '../application/ports/session-store.js';
import { TextFormats } from '../application/ports/text-formats.js';
import { TokenLedger } from '../application/ports/token-ledger.js';
import { ToolRegistry } from '../application/ports/tool-registry.js';
import { ToolSandbox } from '../application/ports/tool-sandbox.js';
import { ToolStatistics } from '../application/ports/tool-statistics.js';
import { TrustStore } from '../application/ports/trust-store.js';
import { Workspace } from '../application/ports/workspace.js';
import { ArgumentDefaults } from '../application/tool/argument-defaults.js';
import { BaseBudget } from '../application/tool/call-budget.js';
import { ToolCatalogue } from '../application/tool/tool-catalogue.js';
import { ToolNaming } from '../application/tool/tool-naming.js';
import { ProtocolOptions } from '../presentation/mcp/surface/protocol-options.js';
import { applicationModule } from './application.module.js';
import type { CastellanOptions } from './castellan-options.js';
import type { Configuration } from './configuration.js';
import { infrastructureModule } from './infrastructure.module.js';
import { Lifecycle } from './lifecycle.js';
import { presentationModule } from './presentation.module.js';
import { Descriptions, toolsModule } from './tools.module.js';

const REQUIRED: readonly ServiceIdentifier<unknown>[] = [
  Alarm,
  ArgumentDefaults,
  ArgumentDigest,
  AuditLog,
  AuditReader,
  BaseBudget,
  CallGate,
  CircuitBreakers,
  Clock,
  CommandGrounds,
  CommandParser,
  CommandSandbox,
  ContentSearch,
  DeniedPlaces,
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
  ToolNaming,
  ToolRegistry,
  ToolSandbox,
  ToolStatistics,
  ToolSwitches,
  TrustStore,
  UncontainedSandbox,
  Workspace,
];

export function createContainer(configuration: Configuration, options: CastellanOptions): Container {
  const container = new Container();
  container.load(
    infrastructureModule(configuration, options),
    applicationModule(),
    presentationModule(configuration, options),
    toolsModule(configuration, options),
  );
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
