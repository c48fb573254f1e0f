import 'reflect-metadata';

export { DEFAULT_BUDGET } from './application/call/call-budget.js';
export { ToolImplementations } from './application/call/pipeline/tool-implementations.js';
export type { ToolContext } from './application/call/tool-context.js';
export { AuditLog } from './application/ports/audit/audit-log.js';
export { Redactor } from './application/ports/audit/redactor.js';
export { FlagStore } from './application/ports/flag/flag-store.js';
export { PolicySource } from './application/ports/permission/policy-source.js';
export { Clock } from './application/ports/system/clock.js';
export { Logger } from './application/ports/system/logger.js';
export { ToolRegistry } from './application/ports/tool/tool-registry.js';
export type { RenderedPrompt } from './application/prompt/prompt-catalogue.js';
export { Sessions } from './application/session/sessions.js';
export { GetToolStatsHandler } from './application/tool/get-tool-stats.js';
export type {
  SecurityNotes,
  ToolDefinition,
  ToolErrorNote,
  ToolExample,
  ToolSpecificationNotes,
} from './application/tool/tool-definition.js';
export { ToolNaming } from './application/tool/tool-naming.js';
export { ToolVisibility } from './application/tool/tool-visibility.js';
export type { CastellanOptions } from './composition/configuration/castellan-options.js';
export { compilePolicy } from './composition/configuration/compile-policy-text.js';
export { type Configuration, readConfiguration } from './composition/configuration/configuration.js';
export { ConfigurationError } from './composition/configuration/configuration-error.js';
export type { FlagOptions } from './composition/configuration/flag-options.js';
export { castellanModule } from './composition/container.js';
export { Castellan, type ExecuteOptions } from './composition/server/castellan.js';
export { createCastellan } from './composition/server/create-castellan.js';
export type { Listening, ListenOptions } from './composition/server/http-service.js';
export { isFlagOn, meetsFlagCondition } from './domain/flag/flag-condition.js';
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
export {
  errorCodeOf,
  executionFailed,
  type ToolError,
  toolFailure,
  toolNotFound,
  withToolContext,
} from './domain/tool/tool-error.js';
export { ToolInputSchema } from './domain/tool/tool-input-schema.js';
export { type ContentBlock, ToolResult } from './domain/tool/tool-result.js';
export type { PolicyRefusal } from './infrastructure/policy/load-policy.js';
export { toSchemaMarkdown } from './presentation/docs/schema-markdown.js';
export { checkToolSpecification } from './presentation/docs/specification/specification-check.js';
export { specifyTool, specifyTools } from './presentation/docs/specification/tool-specification.js';
export { buildToolDescription } from './presentation/docs/tool-description.js';
export { HttpOptions } from './presentation/mcp/http/http-options.js';
export { declareTool, getDeclaredTools } from './presentation/tools/declared-tools.js';
export { defineTool } from './presentation/tools/define-tool.js';
export { ToolArguments } from './presentation/tools/seed-words.js';
export { toolArguments } from './presentation/tools/tool-arguments.js';
