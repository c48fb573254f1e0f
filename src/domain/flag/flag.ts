import { isJsonObject } from '../json-value.js';
import { Result } from '../result.js';

/** Word characters and hyphens; no dots, so that a name can be part of any settings path. */
export type FlagName = string & { readonly __brand: 'FlagName' };

/** Project flags belong to one workspace, global flags to the user. */
export type FlagScope = 'project' | 'global';

export type FlagMap = Readonly<Record<string, string | readonly string[]>>;
export type FlagValue = boolean | string | readonly string[] | FlagMap;
export type Flags = ReadonlyMap<string, FlagValue>;

/** The origin of a value. */
export type FlagReason = 'PROJECT' | 'GLOBAL' | 'ABSENT';

export interface FlagResolution {
  /** undefined exactly if the reason is ABSENT. */
  readonly value?: FlagValue;
  readonly reason: FlagReason;
}

export const FLAG_NAME_PATTERN = '^[A-Za-z0-9_-]{1,100}$';
export const MAX_FLAG_VALUE_LENGTH = 64 * 1024;

const NAME = new RegExp(FLAG_NAME_PATTERN);

function isFlagName(raw: string): raw is FlagName {
  return NAME.test(raw);
}

export function parseFlagName(raw: string): Result<FlagName> {
  if (isFlagName(raw)) return Result.ok(raw);
  return Result.failure(
    `A flag's name has 1 to 100 letters, digits, underscores and hyphens, for example dark-mode; ` +
      `got ${JSON.stringify(raw.slice(0, 120))}.`,
    'InvalidFlag',
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isFlagMap(value: unknown): value is FlagMap {
  return (
    isJsonObject(value) &&
    Object.values(value).every((member) => typeof member === 'string' || isTexts(member))
  );
}

function isFlagValue(value: unknown): value is FlagValue {
  return typeof value === 'boolean' || typeof value === 'string' || isTexts(value) || isFlagMap(value);
}

export function parseFlagValue(raw: unknown): Result<FlagValue> {
  if (!isFlagValue(raw)) {
    return Result.failure(
      `A flag's value is true or false, a string, a list of strings, or a map of strings to strings or lists of ` +
        `texts; got ${kindOf(raw)}.`,
      'InvalidFlag',
    );
  }
  const length = JSON.stringify(raw).length;
  if (length <= MAX_FLAG_VALUE_LENGTH) return Result.ok(raw);
  return Result.failure(
    `A flag's value has at most ${MAX_FLAG_VALUE_LENGTH} characters as JSON; got ${length}. ` +
      'Keep the text in a file and its path in the flag.',
    'InvalidFlag',
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list with something other than strings in it';
  return typeof value === 'object' ? 'a map with deeper values' : `a ${typeof value}`;
}

/** The project's value wins; the global one is the default. */
export function resolveFlag(name: string, project: Flags, global: Flags): FlagResolution {
  const own = project.get(name);
  if (own !== undefined) return { value: own, reason: 'PROJECT' };
  const shared = global.get(name);
  return shared === undefined ? { reason: 'ABSENT' } : { value: shared, reason: 'GLOBAL' };
}

export function mergeFlags(project: Flags, global: Flags): Flags {
  return sortFlags([...global, ...project]);
}

/** Sorts by name; a later entry of the same name wins. */
export function sortFlags(entries: Iterable<readonly [string, FlagValue]>): Flags {
  return new Map([...new Map(entries)].sort(([a], [b]) => (a < b ? -1 : 1)));
}
