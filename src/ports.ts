import 'reflect-metadata';

/**
 * Everything that an embedder may bind anew, and the types that their signatures name. Unstable: a minor version may change
 * a port, and says so in the changelog. Each port exists for something outside of the process (disk, network, clock,
 * processes, people), or because instances keep it in Redis; what each is for stands at its own declaration and in
 * docs/reference/api.md.
 */
export { BaseBudget, type CallBudget, DEFAULT_BUDGET } from './application/call/call-budget.js';
export { type ExecuteToolCommand, ExecuteToolHandler } from './application/call/pipeline/execute-tool.js';
export type {
  ArgumentValues,
  HandlerOutcome,
  RunnableTool,
  ToolOutcome,
} from './application/call/runnable-tool.js';
export type {
  ElicitAnswer,
  ElicitRequest,
  FormField,
  SampleAnswer,
  SampleRequest,
} from './application/call/tool-context.js';
export { ToolSwitches } from './application/flag/tool-switches.js';
export { KnowledgeSettings, type ProjectKnowledge } from './application/knowledge/knowledge-settings.js';
export { ModelDefaults } from './application/model/model-defaults.js';
export { ArgumentDigest } from './application/ports/audit/argument-digest-source.js';
export { AuditLog } from './application/ports/audit/audit-log.js';
export { AuditReader } from './application/ports/audit/audit-reader.js';
export { Redactor, ResultRedactor } from './application/ports/audit/redactor.js';
export { CommandParser } from './application/ports/command/command-parser.js';
export { CommandRunner } from './application/ports/command/command-runner.js';
export { OutputStore } from './application/ports/command/output-store.js';
export { ProgramLocator } from './application/ports/command/program-locator.js';
export { ContentSearch } from './application/ports/file/content-search.js';
export { DeniedObjects } from './application/ports/file/denied-objects.js';
export { FileWalker } from './application/ports/file/file-walker.js';
export { InodeScan } from './application/ports/file/inode-scan.js';
export { SafeFileSystem } from './application/ports/file/safe-file-system.js';
export { type SharedLock, SharedLocks } from './application/ports/file/shared-locks.js';
export { TextFormats } from './application/ports/file/text-formats.js';
export { FlagSchemas } from './application/ports/flag/flag-schemas.js';
export { FlagStore } from './application/ports/flag/flag-store.js';
export { DocumentLibrary, type LibraryDocument } from './application/ports/knowledge/document-library.js';
export { DocumentSearch } from './application/ports/knowledge/document-search.js';
export { DocumentWriter } from './application/ports/knowledge/document-writer.js';
export { RuleChecker } from './application/ports/knowledge/rule-checker.js';
export {
  LanguageModel,
  type ModelAnswer,
  type ModelQuestion,
} from './application/ports/model/language-model.js';
export { TokenLedger } from './application/ports/model/token-ledger.js';
export { ApprovalDesk } from './application/ports/permission/approval-desk.js';
export { ConsentMemory } from './application/ports/permission/consent-memory.js';
export {
  type ConsentAnswer,
  type ConsentForm,
  type ConsentOrigin,
  ConsentPrompt,
} from './application/ports/permission/consent-prompt.js';
export { PolicySource } from './application/ports/permission/policy-source.js';
export { TrustStore } from './application/ports/permission/trust-store.js';
export { PromptSource } from './application/ports/prompt/prompt-source.js';
export { type ResourceNotice, ResourceNotices } from './application/ports/resource/resource-notices.js';
export { ResourceProvider } from './application/ports/resource/resource-provider.js';
export {
  type Authentication,
  CallerAuthenticator,
} from './application/ports/session/caller-authenticator.js';
export { ConsumedStates } from './application/ports/session/consumed-states.js';
export { EventStore, type KeptStream, type StreamEvent } from './application/ports/session/event-store.js';
export {
  type AskOutcome,
  InstanceLink,
  type LinkHandler,
} from './application/ports/session/instance-link.js';
export { OwnTmpFolders } from './application/ports/session/own-tmp-folders.js';
export {
  type DirectoryNotice,
  type SessionChange,
  SessionDirectory,
  type SharedSession,
} from './application/ports/session/session-directory.js';
export { SessionStore } from './application/ports/session/session-store.js';
export { WorkflowStore } from './application/ports/session/workflow-store.js';
export {
  CallObserver,
  type ObserveCall,
  type ObservedCall,
} from './application/ports/system/call-observer.js';
export { Clock } from './application/ports/system/clock.js';
export { DoctorCheck } from './application/ports/system/doctor-check.js';
export { IdSource } from './application/ports/system/id-source.js';
export { type LogFields, Logger, type LogLevel } from './application/ports/system/logger.js';
export { MachineFacts } from './application/ports/system/machine-facts.js';
export {
  type InstanceFacts,
  SharedState,
  type SharedStatus,
} from './application/ports/system/shared-state.js';
export { Timer } from './application/ports/system/timer.js';
export { Turns } from './application/ports/system/turns.js';
export { Workspace } from './application/ports/system/workspace.js';
export { CallGate, type CallSlot } from './application/ports/tool/call-gate.js';
export { type BreakerState, CircuitBreakers } from './application/ports/tool/circuit-breakers.js';
export { InputValidator } from './application/ports/tool/input-validator.js';
export { RateLimits, type RateVerdict } from './application/ports/tool/rate-limits.js';
export { ToolRegistry } from './application/ports/tool/tool-registry.js';
export { type RunListener, ToolSandbox } from './application/ports/tool/tool-sandbox.js';
export { ToolStatistics } from './application/ports/tool/tool-statistics.js';
export type { GetToolStatsQuery, ToolStatsReport } from './application/tool/get-tool-stats.js';
export { ListToolsHandler, type ListToolsQuery, type ToolPage } from './application/tool/list-tools.js';
export type {
  AuditConnection,
  AuditedCall,
  AuditedOutcome,
  AuditIntent,
  AuditOutcome,
  AuditTicket,
} from './domain/audit/audit-record.js';
export type { FlagName, FlagReason, FlagScope, Flags, FlagValue } from './domain/flag/flag.js';
export type { FlagCondition } from './domain/flag/flag-condition.js';
export type { ToolErrorKind } from './domain/tool/tool-error.js';
export type * from './port-types.js';
export type { SpecificationProblem } from './presentation/docs/specification/specification-check.js';
