import type { JsonValue } from '../json-value.js';

const MAX_DEPTH = 3;
const MAX_MEMBERS = 32;
const MAX_KEY = 64;

/** Types and lengths without content: `{ path: 'string(12)', edits: 'array(2)' }`. */
export function argumentShape(value: unknown, depth = 0): JsonValue {
  if (typeof value === 'string') return `string(${value.length})`;
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return `array(${value.length})`;
  const entries: [string, unknown][] = Object.entries(value);
  if (depth >= MAX_DEPTH) return `object(${entries.length})`;
  const shown = entries
    .slice(0, MAX_MEMBERS)
    .map(([key, member]) => [key.slice(0, MAX_KEY), argumentShape(member, depth + 1)]);
  return entries.length > MAX_MEMBERS
    ? { ...Object.fromEntries(shown), '...': `${entries.length - MAX_MEMBERS} more` }
    : Object.fromEntries(shown);
}
