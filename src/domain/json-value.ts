export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

const MAX_DEPTH = 200;

/** Methods by which objects convert themselves; the first that exists is used. */
const DESCRIPTIONS = ['toJSON', 'toJson', 'toDict'] as const;

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The error type of a value that exceeds its size limit. */
export const TOO_LARGE = 'TooLarge';

/** Has the shape of a Result, which is created from it. */
export type JsonConversion =
  | { readonly success: true; readonly value: JsonValue }
  | { readonly success: false; readonly error: string; readonly errorType: string };

/** The state of a conversion: the first problem, and the remaining size. */
interface Conversion {
  room: number;
  problem?: string;
}

/**
 * Converts a tool's return value to JSON, or reports which part cannot be converted. Objects may convert
 * themselves with toJSON(), toJson() or toDict(); undefined properties are omitted; maps with string keys
 * become objects, other maps and sets become lists. Plain JSON is returned unchanged: a list of ten thousand
 * entries is not copied. Stops at `maxBytes`: a value and a character take at least one byte each.
 */
export function toJsonValue(value: unknown, maxBytes = Number.POSITIVE_INFINITY): JsonConversion {
  const plain: Conversion = { room: maxBytes };
  if (isPlainJson(value, 0, plain)) return { success: true, value };
  if (plain.room < 0) return tooLarge(maxBytes);
  const conversion: Conversion = { room: maxBytes };
  const converted = convert(value, '$', new Set(), conversion);
  if (conversion.room < 0) return tooLarge(maxBytes);
  return conversion.problem === undefined
    ? { success: true, value: converted ?? null }
    : { success: false, error: conversion.problem, errorType: 'NotSerialisable' };
}

function tooLarge(maxBytes: number): JsonConversion {
  return { success: false, error: `the value takes more than ${maxBytes} bytes`, errorType: TOO_LARGE };
}

/** Returns false for values that must be converted, that cannot be, or that exceed the remaining size. */
function isPlainJson(value: unknown, depth: number, conversion: Conversion): value is JsonValue {
  conversion.room -= typeof value === 'string' ? value.length + 1 : 1;
  if (conversion.room < 0) return false;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || (depth < MAX_DEPTH && hasPlainMembers(value, depth + 1, conversion));
    default:
      return false;
  }
}

function hasPlainMembers(value: object, depth: number, conversion: Conversion): boolean {
  if (Array.isArray(value)) {
    if ('toJSON' in value) return false;
    for (const item of value) if (!isPlainJson(item, depth, conversion)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype || DESCRIPTIONS.some((name) => name in value))
    return false;
  for (const member of Object.values(value)) if (!isPlainJson(member, depth, conversion)) return false;
  return true;
}

function convert(
  value: unknown,
  at: string,
  ancestors: Set<object>,
  conversion: Conversion,
): JsonValue | undefined {
  conversion.room -= typeof value === 'string' ? value.length + 1 : 1;
  if (conversion.room < 0) return undefined;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      conversion.problem ??= `${at} is ${value}, which JSON cannot represent`;
      return undefined;
    case 'undefined':
      return undefined;
    case 'object':
      return value === null ? null : convertObject(value, at, ancestors, conversion);
    case 'function':
    case 'symbol':
    case 'bigint':
      conversion.problem ??= `${at} is a ${typeof value}, which JSON cannot represent`;
      return undefined;
  }
}

function convertObject(
  value: object,
  at: string,
  ancestors: Set<object>,
  conversion: Conversion,
): JsonValue | undefined {
  if (ancestors.has(value)) conversion.problem ??= `${at} refers back to an object that contains it`;
  if (ancestors.size >= MAX_DEPTH) conversion.problem ??= `${at} is nested deeper than ${MAX_DEPTH} levels`;
  if (conversion.problem !== undefined) return undefined;
  ancestors.add(value);
  const converted = convertMembers(value, at, ancestors, conversion);
  ancestors.delete(value);
  return converted;
}

function convertMembers(
  value: object,
  at: string,
  ancestors: Set<object>,
  conversion: Conversion,
): JsonValue | undefined {
  const described = describedBy(value);
  if (described !== undefined) return convert(described.value, at, ancestors, conversion);
  const strange = strangeKind(value);
  if (strange !== undefined) {
    conversion.problem ??= `${at} is of type ${strange}, which JSON cannot represent`;
    return undefined;
  }
  const items = listed(value);
  if (items !== undefined) {
    const list: JsonValue[] = [];
    for (const item of items) {
      list.push(convert(item, `${at}[${list.length}]`, ancestors, conversion) ?? null);
      if (conversion.room < 0 || conversion.problem !== undefined) return undefined;
    }
    return list;
  }
  const entries: [string, JsonValue][] = [];
  for (const [key, member] of value instanceof Map ? value : Object.entries(value)) {
    const json = convert(member, `${at}.${key}`, ancestors, conversion);
    conversion.room -= key.length;
    if (conversion.room < 0 || conversion.problem !== undefined) return undefined;
    if (json !== undefined) entries.push([key, json]);
  }
  return Object.fromEntries(entries);
}

/** The members of a value that becomes a list. */
function listed(value: object): Iterable<unknown> | undefined {
  if (Array.isArray(value) || value instanceof Set) return value;
  if (ArrayBuffer.isView(value) && isIterable(value)) return value;
  if (value instanceof Map) for (const key of value.keys()) if (typeof key !== 'string') return value;
  return undefined;
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

/** Types without members that would describe them; they would become an empty object. */
const STRANGE = new Set([
  'ArrayBuffer',
  'SharedArrayBuffer',
  'DataView',
  'AsyncGenerator',
  'Generator',
  'Promise',
  'RegExp',
  'WeakMap',
  'WeakRef',
  'WeakSet',
]);

function strangeKind(value: object): string | undefined {
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return STRANGE.has(kind) ? kind : undefined;
}

function describedBy(value: object): { value: unknown } | undefined {
  for (const name of DESCRIPTIONS) {
    const describe: unknown = name in value ? Reflect.get(value, name) : undefined;
    if (typeof describe === 'function') return { value: describe.call(value) };
  }
  if (value instanceof Error) return { value: { name: value.name, message: value.message } };
  return undefined;
}
