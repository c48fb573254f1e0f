import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import type { PermissionRequest } from '../../domain/permission/policy/permission-request.js';
import type { Result } from '../../domain/result.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import type { CallBudget } from './call-budget.js';
import type { ShowAnswer } from './shown-answer.js';
import type { ToolContext } from './tool-context.js';

/** Arguments that passed the tool's schema; frozen. */
export type ArgumentValues = Readonly<Record<string, unknown>>;

/** A ToolResult for content, or any JSON-serialisable value for a structured result. */
export type ToolOutcome = Result<unknown, ToolError>;

/**
 * What a handler may return; a failure may also be a text and a type: `Result.failure('…', 'NotFoundError')`.
 */
export type HandlerOutcome = Result<unknown, ToolError | string>;

/** A tool with its implementation. */
export interface RunnableTool {
  readonly tool: Tool;
  /** The tool's own limits; the policy may give less. */
  readonly budget: Partial<CallBudget>;
  /** True if all calls of a session must run at the same instance. */
  readonly sessionBound?: boolean | undefined;
  /** Converts a structured result to text (default: as any value). */
  readonly show?: ShowAnswer | undefined;
  /** Adds a sentence about the active policy to the description in tools/list. */
  readonly underPolicy?: ((policy: PermissionPolicy) => string) | undefined;
  /** What the call is about to do; checked before run() is entered. */
  permissions(args: ArgumentValues): readonly PermissionRequest[];
  run(args: ArgumentValues, context: ToolContext): HandlerOutcome | Promise<HandlerOutcome>;
}
