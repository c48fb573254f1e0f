import type { ServiceIdentifier } from 'inversify';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import type { PermissionRequest } from '../../domain/permission/policy/permission-request.js';
import type { ToolCapability, ToolProfile } from '../../domain/permission/policy/tool-capability.js';
import type { ToolHints, ToolIcon } from '../../domain/tool/tool.js';
import type { ToolInputSchema } from '../../domain/tool/tool-input-schema.js';
import type { ToolRequirement, Toolset } from '../../domain/tool/toolset.js';
import type { CallBudget } from '../call/call-budget.js';
import type { ArgumentValues, HandlerOutcome } from '../call/runnable-tool.js';
import type { ShowAnswer } from '../call/shown-answer.js';
import type { ToolContext } from '../call/tool-context.js';

/** One way to call a tool, with what it shows. The tests run it. */
export interface ToolExample {
  readonly title: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A failure a caller should be prepared for, as the specification lists it. */
export interface ToolErrorNote {
  readonly type: string;
  readonly when: string;
}

/** What a tool means for the machine and its data, a sentence or two for each: what it can do and how to bound it. */
export interface SecurityNotes {
  readonly files: string;
  readonly network: string;
  readonly execution: string;
  readonly changes: string;
  readonly secrets: string;
}

/** What a listing says where every token counts. */
export interface ConciseWords {
  /** One or two sentences: when to use the tool, and when another. */
  readonly text: string;
  /** Half a line each, by the argument's name; `edits[].old_text` is a member of entries. Empty: nothing. */
  readonly arguments?: Readonly<Record<string, string>>;
}

/** What only the specification says about a tool. */
export interface ToolSpecificationNotes {
  /** One answer in full: `value` of a structured tool, the text of one that answers with content. */
  readonly answer: unknown;
  /** Values of arguments that neither the schema nor an example shows. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Failures that are rarer than those of the definition. */
  readonly errors?: readonly ToolErrorNote[];
  readonly security: SecurityNotes;
}

/** Everything that is said about a tool, in one place; schema, description and specification follow from it. */
export interface ToolDefinition {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly category: string;
  /** The set it is shown with, where its category does not say; null: always shown. */
  readonly toolset?: Toolset | null;
  /** Listed only if this is there; it can be called all the same. */
  readonly requires?: ToolRequirement;
  readonly tags?: readonly string[];
  readonly icons?: readonly ToolIcon[];
  /** One sentence; at most 50 characters where possible. */
  readonly summary: string;
  /** Purpose and use cases, beyond the summary. */
  readonly description: string;
  /** How a call is made in general. */
  readonly usage: string;
  /** Without it the summary and the description are sent, and the schema as it is. */
  readonly concise?: ConciseWords;
  /** What the policy in force makes of this tool: ends the description in tools/list. */
  underPolicy?(policy: PermissionPolicy): string;
  readonly examples: readonly ToolExample[];
  readonly effects: Partial<ToolHints>;
  /** The word in `explicit_action` without which nothing happens; also marks the description. */
  readonly explicitAction?: string;
  readonly errors?: readonly ToolErrorNote[];
  /** What repeating a call does; derived from the hints where absent. */
  readonly idempotency?: string;
  /** What may go wrong for the user's machine and data, and what keeps it from going wrong. */
  readonly security: string;
  readonly input: ToolInputSchema;
  /** The schema of `value` of a structured tool; absent for tools that answer with content. */
  readonly output?: object;
  /** How a structured answer reads as text; absent: `key: value` lines. */
  readonly show?: ShowAnswer;
  /** What a content tool answers with, in words. */
  readonly outputText?: string;
  /** Completes the page in MCP_TOOL_SPECIFICATION.md; never part of what clients are sent. */
  readonly specification?: ToolSpecificationNotes;
  /** Sent in tools/list as they are, beside the title and the hints of `effects`. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** Sent in tools/list as `_meta`, beside our own members. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly prefix?: string;
  readonly aliases?: readonly string[];
  readonly budget?: Partial<CallBudget>;
  /** Required where the timeout is longer than 30 s. */
  readonly whyLonger?: string;
  /** False: no warning about arguments of plain JSON Schema that have no description. */
  readonly strict?: boolean;
  /** It keeps something for its session in the process: all calls of a session run at the same instance. */
  readonly sessionBound?: boolean;
  readonly needs: Readonly<Record<string, ServiceIdentifier<unknown>>>;
  /** What a call is about to do. The needs are missing where a policy's own tests ask, before anything is made. */
  permissions?(args: ArgumentValues, needs: Readonly<Record<string, unknown>>): readonly PermissionRequest[];
  /** What a policy's entry must grant before any call can pass; none where absent. */
  readonly capabilities?: readonly ToolCapability[];
  /** What the built-in profiles say about a built-in tool; absent: a policy must name it. */
  readonly profile?: ToolProfile;
  run(
    args: ArgumentValues,
    needs: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): HandlerOutcome | Promise<HandlerOutcome>;
}
