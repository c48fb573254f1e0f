import { isJsonObject, type JsonValue } from '../json-value.js';
import type { Envelope } from '../result.js';

type Audience = 'user' | 'assistant';

export interface Annotations {
  readonly audience?: readonly Audience[];
  readonly priority?: number;
  readonly lastModified?: string;
}

export type EmbeddedResource =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string };

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

/** One MCP content block. Binary data is base64. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string; readonly annotations?: Annotations }
  | {
      readonly type: 'image';
      readonly data: string;
      readonly mimeType: string;
      readonly annotations?: Annotations;
    }
  | {
      readonly type: 'audio';
      readonly data: string;
      readonly mimeType: string;
      readonly annotations?: Annotations;
    }
  | { readonly type: 'resource'; readonly resource: EmbeddedResource; readonly annotations?: Annotations }
  | ({ readonly type: 'resource_link'; readonly annotations?: Annotations } & ResourceLink);

/** The content of a result: content blocks and, for structured tools, the envelope. */
export class ToolResult {
  readonly kind = 'tool-result';
  #structured: Envelope | undefined;

  private constructor(
    readonly content: readonly ContentBlock[],
    readonly isError = false,
    /** The envelope of a structured result as JSON, as in its first text block. */
    readonly json?: string,
  ) {}

  /** The envelope of a structured result, parsed on demand because most are only sent as text. */
  get structured(): Envelope | undefined {
    if (this.json !== undefined) this.#structured ??= JSON.parse(this.json);
    return this.#structured;
  }

  static of(content: readonly ContentBlock[], isError = false): ToolResult {
    return new ToolResult(content, isError);
  }

  static text(text: string): ToolResult {
    return new ToolResult([{ type: 'text', text }]);
  }

  /**
   * Creates a result from any JSON value. An envelope is also structured content, and a failed one marks the
   * result as an error.
   */
  static json(value: JsonValue | Envelope): ToolResult {
    const text = JSON.stringify(value);
    const content: readonly ContentBlock[] = [{ type: 'text', text }];
    if (!isEnvelope(value)) return new ToolResult(content);
    const result = new ToolResult(content, !value.success, text);
    result.#structured = value;
    return result;
  }

  static error(message: string): ToolResult {
    return new ToolResult([{ type: 'text', text: message }], true);
  }

  static empty(): ToolResult {
    return new ToolResult([]);
  }

  static image(data: string, mimeType: string): ToolResult {
    return new ToolResult([{ type: 'image', data, mimeType }]);
  }

  static audio(data: string, mimeType: string): ToolResult {
    return new ToolResult([{ type: 'audio', data, mimeType }]);
  }

  static resource(resource: EmbeddedResource): ToolResult {
    return new ToolResult([{ type: 'resource', resource }]);
  }

  static resourceLink(link: ResourceLink): ToolResult {
    return new ToolResult([{ type: 'resource_link', ...link }]);
  }

  /** Characters of text in the result. */
  get textLength(): number {
    return this.content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  }

  /** The same result with every text changed, in the blocks and in the envelope. */
  mapText(change: (text: string) => string): ToolResult {
    const content = this.content.map((block) =>
      block.type === 'text' ? { ...block, text: change(block.text) } : block,
    );
    const json = this.json === undefined ? undefined : mapStrings(this.json, change);
    return new ToolResult(content, this.isError, json);
  }

  /** Adds a message for the user and an instruction for the agent, each marked with its audience. */
  withNotes(message: string | undefined, instruction: string | undefined): ToolResult {
    if (message === undefined && instruction === undefined) return this;
    const notes: ContentBlock[] = [];
    if (message !== undefined) notes.push(note(message, 'user'));
    if (instruction !== undefined) notes.push(note(instruction, 'assistant'));
    return new ToolResult([...this.content, ...notes], this.isError, this.json);
  }
}

function mapStrings(json: string, change: (text: string) => string): string {
  return JSON.stringify(
    JSON.parse(json, (_key, member: unknown) => (typeof member === 'string' ? change(member) : member)),
  );
}

function isEnvelope(value: JsonValue | Envelope): value is Envelope {
  if (!isJsonObject(value)) return false;
  return value.success === true
    ? value.status === 'success'
    : value.status === 'failure' && value.success === false;
}

function note(text: string, reader: Audience): ContentBlock {
  return { type: 'text', text, annotations: { audience: [reader] } };
}

export function isToolResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'tool-result';
}
