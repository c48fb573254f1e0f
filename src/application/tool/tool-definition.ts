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

/** An example call, which the tests run. */
export interface ToolExample {
  readonly title: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A failure that callers should expect, as listed in the specification. */
export interface ToolErrorNote {
  readonly type: string;
  readonly when: string;
}

/** The effects of a tool on the machine and its data: what it can do and how to limit it. */
export interface SecurityNotes {
  readonly files: string;
  readonly network: string;
  readonly execution: string;
  readonly changes: string;
  readonly secrets: string;
}

/** Shorter texts for listings. */
export interface ConciseWords {
  /** One or two sentences: when to use the tool, and when another. */
  readonly text: string;
  /** A few words per argument; `edits[].old_text` is a member of entries. Empty: none. */
  readonly arguments?: Readonly<Record<string, string>>;
}

/** Texts that only the specification contains. */
export interface ToolSpecificationNotes {
  /** One complete result: `value` of a structured tool, the text of one that returns content. */
  readonly answer: unknown;
  /** Values of arguments that neither the schema nor an example shows. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Failures that are rarer than those of the definition. */
  readonly errors?: readonly ToolErrorNote[];
  readonly security: SecurityNotes;
}

/** All texts about a tool; schema, description and specification follow from it. */
export interface ToolDefinition {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly category: string;
  /** Its toolset (default: that of its category); null: always listed. */
  readonly toolset?: Toolset | null;
  /** Listed only if this is available; it can be called in any case. */
  readonly requires?: ToolRequirement;
  readonly tags?: readonly string[];
  readonly icons?: readonly ToolIcon[];
  /** One sentence; at most 50 characters if possible. */
  readonly summary: string;
  /** Purpose and use cases, in addition to the summary. */
  readonly description: string;
  /** How to call it in general. */
  readonly usage: string;
  /** Without it the summary and the description are sent, and the schema unchanged. */
  readonly concise?: ConciseWords;
  /** A sentence about the active policy that ends the description in tools/list. */
  underPolicy?(policy: PermissionPolicy): string;
  readonly examples: readonly ToolExample[];
  readonly effects: Partial<ToolHints>;
  /** The value of `explicit_action` required to run it; also marks the description. */
  readonly explicitAction?: string;
  readonly errors?: readonly ToolErrorNote[];
  /** What repeating a call does (default: derived from the hints). */
  readonly idempotency?: string;
  /** The risks for the user's machine and data, and what prevents them. */
  readonly security: string;
  readonly input: ToolInputSchema;
  /** The schema of `value` of a structured tool; undefined for tools that return content. */
  readonly output?: object;
  /** Converts a structured result to text (default: `key: value` lines). */
  readonly show?: ShowAnswer;
  /** Describes the content that a content tool returns. */
  readonly outputText?: string;
  /** Completes the page in MCP_TOOL_SPECIFICATION.md; never sent to clients. */
  readonly specification?: ToolSpecificationNotes;
  /** Sent in tools/list unchanged, with the title and the hints of `effects`. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** Sent in tools/list as `_meta`, with our own members. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly prefix?: string;
  readonly aliases?: readonly string[];
  readonly budget?: Partial<CallBudget>;
  /** Required if the timeout is longer than 30 s. */
  readonly whyLonger?: string;
  /** False: no warning about arguments of plain JSON Schema without a description. */
  readonly strict?: boolean;
  /**
   * True if it keeps state for its session in the process, so that all calls of a session run at the same
   * instance.
   */
  readonly sessionBound?: boolean;
  readonly needs: Readonly<Record<string, ServiceIdentifier<unknown>>>;
  /**
   * What a call is about to do. The needs are missing if a policy's own tests ask, before anything is
   * created.
   */
  permissions?(args: ArgumentValues, needs: Readonly<Record<string, unknown>>): readonly PermissionRequest[];
  /** What a policy's entry must grant before any call can pass (default: nothing). */
  readonly capabilities?: readonly ToolCapability[];
  /** What the built-in profiles say about a built-in tool; absent: a policy must name it. */
  readonly profile?: ToolProfile;
  run(
    args: ArgumentValues,
    needs: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): HandlerOutcome | Promise<HandlerOutcome>;
}
