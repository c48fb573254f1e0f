import {
  type Flags,
  type FlagValue,
  parseFlagName,
  parseFlagValue,
  sortFlags,
} from '../../domain/flag/flag.js';
import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';

/** Parses a flag file: one JSON object of names and values. Messages never quote the text. */
export function parseFlagDocument(text: string): Result<Flags> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be another file behind a link.
    return Result.failure('it is not JSON', 'FlagStoreCorrupt');
  }
  if (!isJsonObject(document)) return Result.failure('it is not a JSON object of flags', 'FlagStoreCorrupt');
  const flags: [string, FlagValue][] = [];
  for (const [name, raw] of Object.entries(document)) {
    const value = parseFlagName(name).success ? parseFlagValue(raw) : undefined;
    if (!value?.success) {
      const which = `entry ${flags.length + 1}`;
      return Result.failure(
        `${which} is not a flag: ${value === undefined ? 'its name is not of word characters and hyphens' : value.error}`,
        'FlagStoreCorrupt',
      );
    }
    flags.push([name, value.value]);
  }
  return Result.ok(sortFlags(flags));
}

export function printFlagDocument(flags: Flags): string {
  return `${JSON.stringify(Object.fromEntries(flags), undefined, 2)}\n`;
}
