export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

const MAX_DEPTH = 200;

/** How objects describe themselves, the first one that they have. */
const DESCRIPTIONS = ['toJSON', 'toJson', 'toDict'] as const;

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that takes more room than it may have. */
export const TOO_LARGE = 'TooLarge';

/** Has the form of a Result, which is written with it. */
export type JsonConversion =
  | { readonly success: true; readonly value: JsonValue }
  | { readonly success: false; readonly error: string; readonly errorType: string };

/** What converting came to: the first problem, and how much room is left. */
interface Conversion {
  room: number;
  problem?: string;
}

/**
 * Turns what a tool returned into JSON, or says which part cannot become JSON.
 * Objects may describe themselves with toJSON(), toJson() or toDict(); undefined properties are left out; maps with names for
 * keys become objects, other maps and sets become lists.
 * What is plain JSON already is handed on as it is: a list of ten thousand entries is not copied.
 * Stops at `maxBytes`: a value and a character take a byte at least, so what is larger cannot fit.
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

/** False for what has to be converted, for what cannot be, and where there is no room left. */
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
      conversion.problem ??= `${at} is ${value}, which JSON cannot hold`;
      return undefined;
    case 'undefined':
      return undefined;
    case 'object':
      return value === null ? null : convertObject(value, at, ancestors, conversion);
    case 'function':
    case 'symbol':
    case 'bigint':
      conversion.problem ??= `${at} is a ${typeof value}, which JSON cannot hold`;
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
    conversion.problem ??= `${at} is of type ${strange}, which JSON cannot hold`;
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

/** The members of what becomes a list. */
function listed(value: object): Iterable<unknown> | undefined {
  if (Array.isArray(value) || value instanceof Set) return value;
  if (ArrayBuffer.isView(value) && isIterable(value)) return value;
  if (value instanceof Map) for (const key of value.keys()) if (typeof key !== 'string') return value;
  return undefined;
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

/** What has no members of its own that would tell what it is; without this it would be an empty object. */
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
