import { isJsonObject } from '../json-value.js';

/** The maximum size of a UTF-16 unit as JSON: \u0000. */
const MOST_BYTES = 6;
/** Quotes, a comma, a colon; more than any number or word takes. */
const AROUND = 32;
/** \b, \t, \n, \f and \r: other control characters take six bytes. */
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13]);

/** The size of arguments as JSON if it exceeds `most`; else undefined. */
export function inputExcess(args: unknown, most: number): number | undefined {
  const { units, values } = sizeOf(args);
  if (units * MOST_BYTES + values * AROUND <= most) return undefined;
  if (units > most) return units;
  const bytes = jsonBytes(args);
  return bytes > most ? bytes : undefined;
}

/** How much work arguments are, in characters; each value adds some. Stops counting at `most`. */
export function inputWork(args: unknown, most: number): number {
  const { units, values } = sizeOf(args, most);
  return Math.min(most, units + values * AROUND);
}

/** Counts strings in place: serialising megabytes only to count them takes several times as long. */
function jsonBytes(args: unknown): number {
  let bytes = 0;
  const rest = JSON.stringify(args, (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    bytes += escapedBytes(value);
    return '';
  });
  return bytes + new TextEncoder().encode(rest).length;
}

/** The size of a string as JSON, without its quotes. */
function escapedBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) {
      const isPair = (text.codePointAt(at) ?? 0) > 0xffff;
      if (isPair) at += 1;
      // A pair takes four bytes, half of one is written as \udXXX.
      if (isPair) bytes += 2;
      else if (unit >= 0xd800 && unit < 0xe000) bytes += 5;
      else bytes += unit < 0x800 ? 1 : 2;
    } else if (unit < 0x20) bytes += SHORT_ESCAPES.has(unit) ? 1 : 5;
    else if (unit === 0x22 || unit === 0x5c) bytes += 1;
  }
  return bytes;
}

function sizeOf(
  args: unknown,
  enough = Number.POSITIVE_INFINITY,
): { readonly units: number; readonly values: number } {
  const open: unknown[] = [args];
  const seen = new Set<unknown>();
  let units = 0;
  let values = 0;
  while (open.length > 0 && units + values * AROUND < enough) {
    const value = open.pop();
    values += 1;
    if (typeof value === 'string') units += value.length;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    // An embedder's object may contain itself.
    seen.add(value);
    if (Array.isArray(value)) for (const entry of value) open.push(entry);
    else if (isJsonObject(value)) {
      for (const key in value) {
        units += key.length;
        open.push(value[key]);
      }
    }
  }
  return { units, values };
}
