import { isRequestId, type RequestId } from './json-rpc.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MAX_ID = 1000;

/**
 * The `id` of a JSON object, found on its bytes without parsing the rest: whoever sent a request that goes no further
 * still waits for an answer to it. null: there is none that could be answered.
 */
export function topLevelId(bytes: Buffer): RequestId | null {
  let depth = 0;
  let found: RequestId | null = null;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at + 1);
      if (depth === 1 && end - at === 3 && bytes.toString('latin1', at + 1, end) === 'id') {
        found = valueAfter(bytes, end + 1) ?? found;
      }
      at = end;
    } else if (byte === 0x7b || byte === 0x5b) depth += byte === 0x5b && depth === 0 ? Infinity : 1;
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return found;
}

/** A value that a colon precedes; undefined for the text `id` as a value itself, or an id that is none. */
function valueAfter(bytes: Buffer, start: number): RequestId | undefined {
  const text = bytes.toString('utf8', start, start + MAX_ID);
  const token = /^\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)\s*[,}]/.exec(text)?.[1];
  if (token === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(token);
    return isRequestId(value) ? value : undefined;
  } catch {
    // No JSON, so no id; the whole message is refused anyway.
    return undefined;
  }
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start; ; ) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return bytes.length;
    let before = quote;
    while (before > start && bytes[before - 1] === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
}
