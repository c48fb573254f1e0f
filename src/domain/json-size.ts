import type { JsonValue } from './json-value.js';

// What stands in JSON as it is, in one byte a character.
const PLAIN = /^[ !#-[\]-~]*$/;
const BRACKETS = 2;

/** How many bytes of UTF-8 a value takes as JSON, without writing it. */
export function jsonSize(value: JsonValue): number {
  switch (typeof value) {
    case 'string':
      return textSize(value);
    case 'number':
      return JSON.stringify(value).length;
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      return value === null ? 4 : membersSize(value);
  }
}

function textSize(text: string): number {
  return PLAIN.test(text) ? text.length + 2 : utf8Size(JSON.stringify(text));
}

function membersSize(value: readonly JsonValue[] | { readonly [key: string]: JsonValue }): number {
  let bytes = BRACKETS;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) bytes += jsonSize(item);
    members = value.length;
  } else {
    for (const [key, member] of Object.entries(value)) {
      bytes += textSize(key) + 1 + jsonSize(member);
      members += 1;
    }
  }
  return bytes + Math.max(0, members - 1);
}

/** JSON.stringify leaves no lone surrogates, so every two halves are a character of four bytes. */
function utf8Size(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x800) bytes += unit >= 0xd800 && unit <= 0xdfff ? 1 : 2;
    else if (unit >= 0x80) bytes += 1;
  }
  return bytes;
}
