import { Result } from './result.js';

export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

const MAX_DEPTH = 200;

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Turns what a tool returned into JSON, or says which part cannot become JSON.
 * Objects may describe themselves with toJSON() or toDict(); undefined properties are left out.
 * What is plain JSON already is handed on as it is: a list of ten thousand entries is not copied.
 */
export function toJsonValue(value: unknown): Result<JsonValue> {
  if (isPlainJson(value, 0)) return Result.ok(value);
  const problem: { text?: string } = {};
  const converted = convert(value, '$', new Set(), problem);
  return problem.text === undefined
    ? Result.ok(converted ?? null)
    : Result.failure(problem.text, 'NotSerialisable');
}

/** False for what has to be converted, and for what cannot be. */
function isPlainJson(value: unknown, depth: number): value is JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || (depth < MAX_DEPTH && hasPlainMembers(value, depth + 1));
    default:
      return false;
  }
}

function hasPlainMembers(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    if ('toJSON' in value) return false;
    for (const item of value) if (!isPlainJson(item, depth)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value || 'toDict' in value)
    return false;
  for (const member of Object.values(value)) if (!isPlainJson(member, depth)) return false;
  return true;
}

function convert(
  value: unknown,
  at: string,
  ancestors: Set<object>,
  problem: { text?: string },
): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      problem.text ??= `${at} is ${value}, which JSON cannot hold`;
      return undefined;
    case 'undefined':
      return undefined;
    case 'object':
      return value === null ? null : convertObject(value, at, ancestors, problem);
    case 'function':
    case 'symbol':
    case 'bigint':
      problem.text ??= `${at} is a ${typeof value}, which JSON cannot hold`;
      return undefined;
  }
}

function convertObject(
  value: object,
  at: string,
  ancestors: Set<object>,
  problem: { text?: string },
): JsonValue | undefined {
  if (ancestors.has(value)) problem.text ??= `${at} refers back to an object that contains it`;
  if (ancestors.size >= MAX_DEPTH) problem.text ??= `${at} is nested deeper than ${MAX_DEPTH} levels`;
  if (problem.text !== undefined) return undefined;
  ancestors.add(value);
  const converted = convertMembers(value, at, ancestors, problem);
  ancestors.delete(value);
  return converted;
}

function convertMembers(
  value: object,
  at: string,
  ancestors: Set<object>,
  problem: { text?: string },
): JsonValue | undefined {
  const described = describedBy(value);
  if (described !== undefined) return convert(described.value, at, ancestors, problem);
  if (Array.isArray(value)) {
    return value.map((item, index) => convert(item, `${at}[${index}]`, ancestors, problem) ?? null);
  }
  const entries: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(value)) {
    const json = convert(member, `${at}.${key}`, ancestors, problem);
    if (json !== undefined) entries.push([key, json]);
  }
  return Object.fromEntries(entries);
}

function describedBy(value: object): { value: unknown } | undefined {
  if ('toJSON' in value && typeof value.toJSON === 'function') return { value: value.toJSON() };
  if ('toDict' in value && typeof value.toDict === 'function') return { value: value.toDict() };
  return undefined;
}
