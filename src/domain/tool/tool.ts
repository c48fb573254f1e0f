import { Result } from '../result.js';
import { ToolInputSchema } from './tool-input-schema.js';
import { decorateToolName, parseToolName, type ToolName } from './tool-name.js';
import { type ToolRequirement, type Toolset, toolsetOf } from './toolset.js';

/** The four MCP hints. They inform a client; the policy never relies on them. */
export interface ToolHints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

export interface ToolIcon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
}

export interface ToolDetails {
  readonly name: string;
  readonly description: string;
  /** One sentence (default: the first line of the description). */
  readonly summary?: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: ToolInputSchema;
  /** The schemas in tools/list, if they differ from those used for validation. */
  readonly listed?: { readonly inputSchema: ToolInputSchema; readonly outputSchema?: ToolInputSchema };
  readonly title?: string;
  readonly category?: string;
  /** Its toolset (default: that of its category); null: always listed. */
  readonly toolset?: Toolset | null;
  /** Listed only if this is available. */
  readonly requires?: ToolRequirement;
  readonly tags?: readonly string[];
  readonly version?: string;
  readonly hints?: Partial<ToolHints>;
  readonly icons?: readonly ToolIcon[];
  /** Overrides the server's prefix for this tool; an empty string means none. */
  readonly prefix?: string;
  /** Earlier names of the tool. */
  readonly aliases?: readonly string[];
  /** The word a caller must pass as explicit_action. */
  readonly explicitAction?: string;
  /** Further annotations besides the title and the hints. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** Further members of `_meta` besides our own. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** An entry of tools/list. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ToolInputSchema;
  readonly outputSchema?: ToolInputSchema;
  readonly icons?: readonly ToolIcon[];
  /** Only hints that differ from the protocol's defaults. */
  readonly annotations?: Readonly<Record<string, unknown>> & {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  readonly _meta: Readonly<Record<string, unknown>>;
}

const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/;

/** Everything the server knows about a tool except how to run it. */
export class Tool {
  #enabled = true;

  private constructor(
    readonly name: ToolName,
    readonly title: string,
    readonly description: string,
    readonly inputSchema: ToolInputSchema,
    readonly outputSchema: ToolInputSchema | undefined,
    readonly category: string | undefined,
    readonly tags: readonly string[],
    readonly version: string,
    readonly hints: ToolHints,
    readonly icons: readonly ToolIcon[],
    readonly prefix: string | undefined,
    readonly aliases: readonly string[],
    readonly explicitAction: string | undefined,
    readonly extra: Required<Pick<ToolDetails, 'annotations' | 'meta'>>,
    readonly listed: Required<ToolDetails>['listed'],
    readonly summary: string,
    readonly toolset: Toolset | undefined,
    readonly requires: ToolRequirement | undefined,
  ) {}

  static create(details: ToolDetails): Result<Tool> {
    const name = parseToolName(details.name);
    if (!name.success) return name;
    const schema = ToolInputSchema.parse(details.inputSchema);
    if (!schema.success) return schema;
    if (details.description.trim() === '') {
      return Result.failure(`The tool ${details.name} needs a description.`, 'InvalidTool');
    }
    const version = details.version ?? '1.0.0';
    if (!SEMVER.test(version)) {
      return Result.failure(
        `The version of ${details.name} must be a semver such as 1.0.0; got ${version}.`,
        'InvalidTool',
      );
    }
    return Result.ok(
      new Tool(
        name.value,
        details.title ?? titleFrom(name.value),
        details.description,
        schema.value,
        details.outputSchema,
        details.category,
        details.tags ?? [],
        version,
        { readOnly: false, destructive: true, idempotent: false, openWorld: true, ...details.hints },
        details.icons ?? [],
        details.prefix,
        details.aliases ?? [],
        details.explicitAction,
        { annotations: details.annotations ?? {}, meta: details.meta ?? {} },
        details.listed ?? {
          inputSchema: schema.value,
          ...(details.outputSchema && { outputSchema: details.outputSchema }),
        },
        details.summary ?? details.description.split('\n', 1)[0] ?? name.value,
        details.toolset === undefined ? toolsetOf(details.category) : (details.toolset ?? undefined),
        details.requires,
      ),
    );
  }

  /** A copy for another server: disabling it there does not affect this one. */
  copy(): Tool {
    return new Tool(
      this.name,
      this.title,
      this.description,
      this.inputSchema,
      this.outputSchema,
      this.category,
      this.tags,
      this.version,
      this.hints,
      this.icons,
      this.prefix,
      this.aliases,
      this.explicitAction,
      this.extra,
      this.listed,
      this.summary,
      this.toolset,
      this.requires,
    );
  }

  get enabled(): boolean {
    return this.#enabled;
  }

  enable(): void {
    this.#enabled = true;
  }

  disable(): void {
    this.#enabled = false;
  }

  /** The name a client sees, with the server's prefix. */
  wireName(serverPrefix: string): string {
    return decorateToolName(this.name, this.prefix ?? serverPrefix);
  }

  toMcpFormat(serverPrefix = ''): McpTool {
    const { inputSchema, outputSchema } = this.listed;
    const annotations = { ...this.extra.annotations, ...hintsThatTell(this.hints) };
    return {
      name: this.wireName(serverPrefix),
      title: this.title,
      description: this.description,
      inputSchema,
      ...(outputSchema && { outputSchema }),
      ...(this.icons.length > 0 && { icons: this.icons }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      _meta: {
        ...this.extra.meta,
        'castellan/version': this.version,
        ...(this.category !== undefined && { 'castellan/category': this.category }),
        ...(this.tags.length > 0 && { 'castellan/tags': this.tags }),
      },
    };
  }
}

/**
 * By default the protocol assumes a tool that writes, destroys and reaches out; a read-only tool has nothing
 * to destroy or repeat.
 */
function hintsThatTell({ readOnly, destructive, idempotent, openWorld }: ToolHints) {
  return {
    ...(readOnly && { readOnlyHint: true }),
    ...(!readOnly && !destructive && { destructiveHint: false }),
    ...(!readOnly && idempotent && { idempotentHint: true }),
    ...(!openWorld && { openWorldHint: false }),
  };
}

/** read_file becomes "Read file". */
function titleFrom(name: ToolName): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
