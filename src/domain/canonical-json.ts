import { isJsonObject } from './json-value.js';

/** Hashes text; the domain itself knows no cryptography. */
export type TextDigest = (text: string) => string;

const LONG_STRING = 4096;
const MAX_DEPTH = 200;

/**
 * The same text for equal values: keys sorted, no spaces, undefined members omitted as in JSON; undefined if
 * the value is nested deeper than 200 levels. With a digest, a long string is replaced by `#length:digest`,
 * which no JSON text can start with, so that a megabyte of content is read once and never copied.
 */
export function canonicalJson(value: unknown, digest?: TextDigest): string | undefined {
  return isDeeperThan(value, MAX_DEPTH) ? undefined : write(value, digest);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  if (!isJsonObject(value)) return false;
  for (const key in value) {
    if (isDeeperThan(value[key], levels - 1)) return true;
  }
  return false;
}

function write(value: unknown, digest: TextDigest | undefined): string {
  if (typeof value === 'string') {
    return digest !== undefined && value.length > LONG_STRING
      ? `#${value.length}:${digest(value)}`
      : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, digest)).join(',')}]`;
  return isJsonObject(value) ? writeMembers(value, digest) : writePrimitive(value);
}

function writePrimitive(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return String(value);
    case 'bigint':
      return `#bigint:${value}`;
    default:
      return 'null';
  }
}

function writeMembers(value: Readonly<Record<string, unknown>>, digest: TextDigest | undefined): string {
  const keys = Object.keys(value);
  if (keys.length > 1) keys.sort();
  let text = '{';
  for (const key of keys) {
    const member = value[key];
    if (member === undefined) continue;
    text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${write(member, digest)}`;
  }
  return `${text}}`;
}
