import type { Flags, FlagValue } from './flag.js';

const OFF_WORDS: ReadonlySet<string> = new Set(['', 'false', 'off', 'no', '0']);

/** Reduces a flag value to on or off. A missing flag is off. */
export function isFlagOn(value: FlagValue | undefined): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return !OFF_WORDS.has(value.trim().toLowerCase());
  return Object.keys(value).length > 0;
}

/**
 * `{ flag: 'beta' }`: the flag is on. With `is`: it has that value, or its list or map contains that string.
 */
export interface FlagCondition {
  readonly flag: string;
  readonly is?: boolean | string;
}

/** Returns true if a document or tool that depends on a flag is available. */
export function meetsFlagCondition({ flag, is }: FlagCondition, flags: Flags): boolean {
  const value = flags.get(flag);
  if (is === undefined) return isFlagOn(value);
  if (value === undefined) return is === false;
  if (typeof value !== 'object') return value === is;
  const members: readonly string[] = Array.isArray(value) ? value : Object.keys(value);
  return typeof is === 'string' && members.includes(is);
}
