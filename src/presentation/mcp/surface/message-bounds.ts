import { isJsonObject } from '../../../domain/json-value.js';

/** Members of objects and entries of lists in one message, all together. */
export const MAX_VALUES = 10_000;
/** Objects and lists inside one another. */
export const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[` and `{`, `]` and `}` differ in one bit. */
const CASE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Counts what a JSON text holds on its bytes, as they come and before anybody parses them: a text of some megabytes
 * can hold so many values that reading it would keep everybody else waiting for seconds.
 */
export class MessageBounds {
  #values = 0;
  #depth = 0;
  #inString = false;
  /** The next byte is the second half of an escape. */
  #escaped = false;
  #excess: string | undefined;

  /** Why the text goes no further; undefined while it is within the bounds. */
  push(bytes: Uint8Array): string | undefined {
    for (let at = 0; at < bytes.length && this.#excess === undefined; ) {
      at = this.#inString ? this.#endOfString(bytes, at) : this.#outside(bytes, at);
    }
    return this.#excess;
  }

  #outside(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) {
        this.#inString = true;
        return at + 1;
      }
      const kind = byte | CASE_BIT;
      if (kind === OPENING) this.#depth += 1;
      else if (kind === CLOSING) this.#depth -= 1;
      else if (byte !== COMMA) continue;
      if (kind !== CLOSING) this.#values += 1;
      this.#excess = excessOf(this.#values, this.#depth);
      if (this.#excess !== undefined) return at;
    }
    return bytes.length;
  }

  /** Where the string is over; a quote behind an odd number of backslashes is part of it. */
  #endOfString(bytes: Uint8Array, start: number): number {
    const from = this.#escaped ? start + 1 : start;
    this.#escaped = false;
    for (let at = from; ; ) {
      const quote = bytes.indexOf(QUOTE, at);
      const end = quote === -1 ? bytes.length : quote;
      const isEscaped = backslashesBefore(bytes, from, end) % 2 === 1;
      if (quote === -1) {
        this.#escaped = isEscaped;
        return bytes.length;
      }
      if (!isEscaped) {
        this.#inString = false;
        return quote + 1;
      }
      at = quote + 1;
    }
  }
}

/** The same of a value that somebody else has parsed. */
export function valueExcess(message: unknown): string | undefined {
  const open: [value: unknown, depth: number][] = [[message, 1]];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    if (!Array.isArray(value) && !isJsonObject(value)) continue;
    values += 1;
    const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    values += Math.max(0, members.length - 1);
    const excess = excessOf(values, depth);
    if (excess !== undefined) return excess;
    for (const member of members) open.push([member, depth + 1]);
  }
  return undefined;
}

function backslashesBefore(bytes: Uint8Array, from: number, end: number): number {
  let at = end;
  while (at > from && bytes[at - 1] === BACKSLASH) at -= 1;
  return end - at;
}

function excessOf(values: number, depth: number): string | undefined {
  if (values > MAX_VALUES) {
    return `a message may have at most ${MAX_VALUES} members and entries, all together. Send less at once`;
  }
  if (depth > MAX_DEPTH) return `a message may be nested at most ${MAX_DEPTH} levels deep`;
  return undefined;
}
