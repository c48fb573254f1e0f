import type { JsonObject, JsonValue } from './json-value.js';

// Characters that JSON writes unchanged, in one byte each.
const PLAIN = /^[ !#-[\]-~]*$/;
const BRACKETS = 2;

/** The size of a value as UTF-8 JSON, without serialising it. */
export function jsonSize(value: JsonValue): number {
  switch (typeof value) {
    case 'string':
      return textSize(value);
    case 'number':
      return String(value).length;
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      if (value === null) return 4;
      return isList(value) ? listSize(value) : objectSize(value);
  }
}

const keySizes = new Map<string, number>();
const MOST_KEYS = 1000;

/** Members of a list usually have the same keys, so their sizes are cached. */
function keySize(key: string): number {
  const known = keySizes.get(key);
  if (known !== undefined) return known;
  if (keySizes.size >= MOST_KEYS) keySizes.clear();
  const size = textSize(key);
  keySizes.set(key, size);
  return size;
}

function textSize(text: string): number {
  return PLAIN.test(text) ? text.length + 2 : utf8Size(JSON.stringify(text));
}

function listSize(items: readonly JsonValue[]): number {
  let bytes = BRACKETS + Math.max(0, items.length - 1);
  for (const item of items) bytes += jsonSize(item);
  return bytes;
}

function objectSize(value: JsonObject): number {
  let bytes = BRACKETS;
  let members = 0;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    bytes += keySize(key) + 1 + jsonSize(member);
    members += 1;
  }
  return bytes + Math.max(0, members - 1);
}

function isList(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** JSON.stringify leaves no lone surrogates, so every pair is a character of four bytes. */
function utf8Size(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x800) bytes += unit >= 0xd800 && unit <= 0xdfff ? 1 : 2;
    else if (unit >= 0x80) bytes += 1;
  }
  return bytes;
}
