import type { Container } from 'inversify';
import type { CallBudget } from '../../application/call/call-budget.js';
import type { ModelDefaults } from '../../application/model/model-defaults.js';
import type { LogLevel } from '../../application/ports/system/logger.js';
import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import type { AnswerStyle } from '../../presentation/answers/answer-style.js';
import type { DescriptionStyle } from '../../presentation/docs/tool-description.js';
import type { ErrorStyle } from '../../presentation/mcp/surface/error-mapping.js';
import type { FlagOptions } from './flag-options.js';

/** What an embedder may set. Everything has a default that is safe. */
export interface CastellanOptions {
  /** The folder that relative paths mean; CASTELLAN_WORKSPACE, else the current folder. */
  readonly workspace?: string;
  /** A policy file; naming it is trusting it. */
  readonly policy?: string;
  /** A settings file, castellan.yaml. */
  readonly config?: string;
  /** A policy that can only narrow the one in force. */
  readonly ceiling?: string;
  /** Where variables are read; the process's own where absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Added to the built-in tools. */
  readonly tools?: readonly ToolDefinition[];
  /** Runs after our bindings and before anything is made from them: rebind any port here. */
  readonly configure?: (container: Container) => void;
  readonly logLevel?: LogLevel | 'silent';
  /** Put before every tool's name; `MCP_TOOL_PREFIX`, then the setting, where absent. An empty one is a value. */
  readonly toolPrefix?: string;
  readonly toolDescriptions?: DescriptionStyle;
  /** The sets of tools that are listed, divided by commas, or `all`; CASTELLAN_TOOLSETS, then the setting. */
  readonly toolsets?: string;
  readonly errorStyle?: ErrorStyle;
  /** How many tokens a text answer may have, estimated. */
  readonly answerTokens?: number;
  /** How structured answers travel to a client; in process they are always whole. */
  readonly answers?: AnswerStyle;
  /** Limits of a call where its tool asks for nothing else. */
  readonly budget?: Partial<CallBudget>;
  readonly maxMessageBytes?: number;
  /** How much of a file one answer of read_file shows; the setting, else 100,000 bytes. */
  readonly readBytes?: number;
  readonly flags?: FlagOptions;
  /** What claude_conversation uses where its caller does not say; the policy has the limits. */
  readonly model?: Partial<ModelDefaults>;
}
