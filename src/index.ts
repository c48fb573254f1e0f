import 'reflect-metadata';

export { ToolSwitches } from './application/flag/tool-switches.js';
export { KnowledgeSettings, type ProjectKnowledge } from './application/knowledge/knowledge-settings.js';
export { ModelDefaults } from './application/model/model-defaults.js';
export { Redactor } from './application/ports/audit/redactor.js';
export { FlagSchemas } from './application/ports/flag/flag-schemas.js';
export { FlagStore } from './application/ports/flag/flag-store.js';
export { DocumentLibrary, type LibraryDocument } from './application/ports/knowledge/document-library.js';
export { DocumentSearch } from './application/ports/knowledge/document-search.js';
export { DocumentWriter } from './application/ports/knowledge/document-writer.js';
export {
  LanguageModel,
  type ModelAnswer,
  type ModelQuestion,
} from './application/ports/model/language-model.js';
export { TokenLedger } from './application/ports/model/token-ledger.js';
export { type ResourceNotice, ResourceNotices } from './application/ports/resource/resource-notices.js';
export { ResourceProvider } from './application/ports/resource/resource-provider.js';
export { SessionStore } from './application/ports/session/session-store.js';
export { Alarm } from './application/ports/system/alarm.js';
export { Clock } from './application/ports/system/clock.js';
export { IdSource } from './application/ports/system/id-source.js';
export { type LogFields, Logger, type LogLevel } from './application/ports/system/logger.js';
export { CallGate, type CallSlot } from './application/ports/tool/call-gate.js';
export { type BreakerState, CircuitBreakers } from './application/ports/tool/circuit-breakers.js';
export { InputValidator } from './application/ports/tool/input-validator.js';
export { ToolRegistry } from './application/ports/tool/tool-registry.js';
export { ToolSandbox } from './application/ports/tool/tool-sandbox.js';
export { ToolStatistics } from './application/ports/tool/tool-statistics.js';
export type { RenderedPrompt } from './application/prompt/prompt-catalogue.js';
export { Sessions } from './application/session/sessions.js';
export { BaseBudget, type CallBudget, DEFAULT_BUDGET } from './application/tool/call-budget.js';
export { type ExecuteToolCommand, ExecuteToolHandler } from './application/tool/execute-tool.js';
export { ListToolsHandler, type ListToolsQuery, type ToolPage } from './application/tool/list-tools.js';
export type {
  ArgumentValues,
  HandlerOutcome,
  RunnableTool,
  ToolOutcome,
} from './application/tool/runnable-tool.js';
export type {
  ElicitAnswer,
  ElicitRequest,
  FormField,
  SampleAnswer,
  SampleRequest,
  ToolContext,
} from './application/tool/tool-context.js';
export type {
  SecurityNotes,
  ToolDefinition,
  ToolErrorNote,
  ToolExample,
  ToolSpecificationNotes,
} from './application/tool/tool-definition.js';
export { ToolImplementations } from './application/tool/tool-implementations.js';
export { ToolNaming } from './application/tool/tool-naming.js';
export { ToolVisibility } from './application/tool/tool-visibility.js';
export { applicationModule } from './composition/application.module.js';
export type { CastellanOptions } from './composition/configuration/castellan-options.js';
export { type Configuration, readConfiguration } from './composition/configuration/configuration.js';
export { ConfigurationError } from './composition/configuration/configuration-error.js';
export type { FlagOptions } from './composition/configuration/flag-options.js';
export { infrastructureModule } from './composition/modules/infrastructure.module.js';
export { presentationModule } from './composition/modules/presentation.module.js';
export { toolsModule } from './composition/modules/tools.module.js';
export { Castellan, type ExecuteOptions } from './composition/server/castellan.js';
export { createCastellan } from './composition/server/create-castellan.js';
export type { FlagName, FlagReason, FlagScope, Flags, FlagValue } from './domain/flag/flag.js';
export { type FlagCondition, isFlagOn, meetsFlagCondition } from './domain/flag/flag-condition.js';
export { Instruction } from './domain/instruction.js';
export {
  type PermissionRequest,
  reachHost,
  readPath,
  writePath,
} from './domain/permission/policy/permission-request.js';
export { type Envelope, type Page, Result } from './domain/result.js';
export type { Caller } from './domain/session/caller.js';
export { Session } from './domain/session/session.js';
export { type McpTool, Tool } from './domain/tool/tool.js';
export * from './domain/tool/tool-error.js';
export { ToolInputSchema } from './domain/tool/tool-input-schema.js';
export { type ContentBlock, ToolResult } from './domain/tool/tool-result.js';
export { toSchemaMarkdown } from './presentation/docs/schema-markdown.js';
export {
  checkToolSpecification,
  type SpecificationProblem,
} from './presentation/docs/specification/specification-check.js';
export { specifyTool, specifyTools } from './presentation/docs/specification/tool-specification.js';
export { buildToolDescription } from './presentation/docs/tool-description.js';
export { declareTool, takeDeclaredTools } from './presentation/tools/declared-tools.js';
export { defineTool } from './presentation/tools/define-tool.js';
export { toolArguments } from './presentation/tools/tool-arguments.js';
