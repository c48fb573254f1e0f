import { isJsonObject } from '../json-value.js';

/** What a UTF-16 unit takes at most as JSON: \u0000. */
const MOST_BYTES = 6;
/** Quotes, a comma, a colon; more than any number or word takes. */
const AROUND = 32;

/** The bytes of arguments as JSON if they are more than `most`; undefined if they are not. */
export function inputExcess(args: unknown, most: number): number | undefined {
  const { units, values } = sizeOf(args);
  if (units * MOST_BYTES + values * AROUND <= most) return undefined;
  if (units > most) return units;
  const bytes = new TextEncoder().encode(JSON.stringify(args)).length;
  return bytes > most ? bytes : undefined;
}

function sizeOf(args: unknown): { readonly units: number; readonly values: number } {
  const open: unknown[] = [args];
  const seen = new Set<unknown>();
  let units = 0;
  let values = 0;
  while (open.length > 0) {
    const value = open.pop();
    values += 1;
    if (typeof value === 'string') units += value.length;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    // An embedder's object may hold itself.
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
