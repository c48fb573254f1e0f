import { isJsonObject, toJsonValue } from '../json-value.js';
import { Result } from '../result.js';
import { type ContentBlock, ToolResult } from './tool-result.js';

/** Binary content is sent whole, and clients accept messages of at most 64 MiB per line. */
const MAX_BINARY_BYTES = 48 * 1024 * 1024;

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: [],
  resource_link: ['uri', 'name'],
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Validates the content of a handler's result: a client that receives an invalid block drops the whole
 * result. It may come from another copy of this package, with the same fields and none of our methods.
 */
export function readToolResult(value: object): Result<ToolResult> {
  if (!('content' in value) || !Array.isArray(value.content)) return wrong('content is not a list of blocks');
  const blocks: ContentBlock[] = [];
  for (const [index, block] of value.content.entries()) {
    const problem = problemOf(block);
    if (problem !== undefined) return wrong(`content[${index}] ${problem}`);
    blocks.push(block);
  }
  if (value instanceof ToolResult) return Result.ok(value);
  return Result.ok(ToolResult.of(blocks, 'isError' in value && value.isError === true));
}

function problemOf(block: unknown): string | undefined {
  if (!isJsonObject(block)) return 'is not an object';
  const type = typeof block.type === 'string' ? block.type : '';
  const fields = Object.hasOwn(REQUIRED, type) ? REQUIRED[type] : undefined;
  if (fields === undefined) return `has no type of ${Object.keys(REQUIRED).join(', ')}`;
  const missing = fields.find((field) => typeof block[field] !== 'string');
  if (missing !== undefined) return `is a block of type ${type} and its ${missing} is not a string`;
  if (type === 'resource' && !isResource(block.resource))
    return 'has no resource with a uri and a text or blob';
  return isPlainText(block) ? undefined : unwritable(block);
}

function isResource(resource: unknown): boolean {
  if (!isJsonObject(resource) || typeof resource.uri !== 'string') return false;
  return typeof resource.text === 'string' || typeof resource.blob === 'string';
}

/** The usual block; its length is limited elsewhere, by cutting. */
function isPlainText(block: Fields): boolean {
  return block.type === 'text' && Object.keys(block).length === 2;
}

function unwritable(block: Fields): string | undefined {
  const { text: _, ...others } = block;
  const json = toJsonValue(block.type === 'text' ? others : block, MAX_BINARY_BYTES);
  return json.success ? undefined : `cannot be written as JSON: ${json.error}`;
}

function wrong(problem: string): Result<never> {
  return Result.failure(problem, 'InvalidContent');
}
