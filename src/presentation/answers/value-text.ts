import { isJsonObject } from '../../domain/json-value.js';
import { plainName } from './plain-name.js';

const INDENT = '  ';

/**
 * Any JSON value as text: `key: value` lines, nested values indented below their key, lists with a dash where an
 * entry takes more than a line. A text of several lines is indented whole, so none of its lines passes for a key.
 */
export function valueText(value: unknown): string {
  return linesOf(value).join('\n');
}

function linesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(entryLines);
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, member]) => memberLines(key, member));
  return typeof value === 'string' ? value.split('\n') : [scalarText(value)];
}

/** Entries of one line need no dash unless they are lists or objects. */
function entryLines(entry: unknown): readonly string[] {
  const scalar = onOneLine(entry);
  if (scalar !== undefined) return [scalar];
  const [first = '', ...rest] = linesOf(entry);
  return [`- ${first}`, ...rest.map((line) => INDENT + line)];
}

function memberLines(key: string, value: unknown): readonly string[] {
  const name = plainName(key);
  const short = onOneLine(value) ?? shortList(value);
  if (short !== undefined) return [short === '' ? `${name}:` : `${name}: ${short}`];
  return [`${name}:`, ...linesOf(value).map((line) => INDENT + line)];
}

function onOneLine(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\n') ? undefined : plainName(value);
  if (typeof value !== 'object' || value === null) return scalarText(value);
  return Object.keys(value).length === 0 ? (Array.isArray(value) ? '[]' : '{}') : undefined;
}

/** Numbers and words beside each other, as long as the line stays short. */
function shortList(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const words = value.map(onOneLine);
  if (words.some((word) => word === undefined || word === '' || word.includes(','))) return undefined;
  const line = words.join(', ');
  return line.length <= 100 ? line : undefined;
}

function scalarText(value: unknown): string {
  return value === undefined ? '' : String(value);
}
