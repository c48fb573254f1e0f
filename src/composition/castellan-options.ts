import type { Container } from 'inversify';
import type { ModelLimits } from '../application/model/model-limits.js';
import type { LogLevel } from '../application/ports/logger.js';
import type { CallBudget } from '../application/tool/call-budget.js';
import type { ToolDefinition } from '../application/tool/tool-definition.js';
import type { DescriptionStyle } from '../presentation/docs/tool-description.js';
import type { ErrorStyle } from '../presentation/mcp/error-mapping.js';
import type { FlagOptions } from './flag-options.js';

/** What an embedder may set. Everything has a default that is safe. */
export interface CastellanOptions {
  /** Added to the built-in tools. */
  readonly tools?: readonly ToolDefinition[];
  /** Runs after our bindings and before anything is made from them: rebind any port here. */
  readonly configure?: (container: Container) => void;
  readonly logLevel?: LogLevel | 'silent';
  /** `MCP_TOOL_PREFIX` wins over it. */
  readonly toolPrefix?: string;
  readonly toolDescriptions?: DescriptionStyle;
  readonly errorStyle?: ErrorStyle;
  /** Limits of a call where its tool asks for nothing else. */
  readonly budget?: Partial<CallBudget>;
  readonly maxMessageBytes?: number;
  /** The project's folder; the current one where absent. */
  readonly workspace?: string;
  readonly flags?: FlagOptions;
  /** Defaults and limits of claude_conversation. */
  readonly model?: Partial<ModelLimits>;
}
