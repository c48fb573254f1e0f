import { BoundedMap } from '../bounded-map.js';
import { Result } from '../result.js';

/** A canonical tool name in snake_case, the only spelling in documents. */
export type ToolName = string & { readonly __brand: 'ToolName' };

/** A name without case and separators; two tools must not share one. */
export type NormalName = string & { readonly __brand: 'NormalName' };

const CANONICAL = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const MAX_LENGTH = 64;

function isToolName(raw: string): raw is ToolName {
  return raw.length <= MAX_LENGTH && CANONICAL.test(raw);
}

export function parseToolName(raw: string): Result<ToolName> {
  if (isToolName(raw)) return Result.ok(raw);
  return Result.failure(
    `A tool name is snake_case, begins with a letter and has at most ${MAX_LENGTH} characters, ` +
      `for example read_file; got ${JSON.stringify(raw)}.`,
    'InvalidToolName',
  );
}

const ASCII = /^[\0-\x7f]*$/;
const SEPARATOR = /[^a-zA-Z0-9]/g;
// Its first use takes a millisecond, in which a server could answer three calls.
const ANY_SEPARATOR = /[^\p{L}\p{N}]/gu;

// The same few names come with every call; invented ones must not fill the memory.
const MAX_REMEMBERED = 1000;
const remembered = new BoundedMap<string, NormalName>(MAX_REMEMBERED);

/** `read-file`, `read.file`, `ReadFile` and `read_file` are the same tool to a caller. */
export function normaliseToolName(raw: string): NormalName {
  const known = remembered.get(raw);
  if (known !== undefined) return known;
  const normal = raw.replace(ASCII.test(raw) ? SEPARATOR : ANY_SEPARATOR, '').toLowerCase() as NormalName;
  remembered.set(raw, normal);
  return normal;
}

const PREFIX = /^[A-Za-z0-9_.-]{0,32}$/;

/** Validates a prefix, so that every client accepts the whole name; empty means none. */
export function parseToolPrefix(raw: string): Result<string> {
  if (PREFIX.test(raw)) return Result.ok(raw);
  return Result.failure(
    'A tool prefix (MCP_TOOL_PREFIX, tool_prefix) has at most 32 letters, digits, underscores, hyphens and ' +
      `dots, for example guide; got ${JSON.stringify(raw)}.`,
    'InvalidToolPrefix',
  );
}

/** The name sent to clients: prefix, underscore, name; only the name if the prefix is empty. */
export function decorateToolName(name: ToolName, prefix: string): string {
  return prefix === '' ? name : `${prefix.replace(/_+$/, '')}_${name}`;
}
