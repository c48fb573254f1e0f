import { isJsonObject } from '../json-value.js';

/** Arguments that show what a call was about: paths and command lines. Of all others only a hash is kept. */
const KEPT = new Set([
  'path',
  'paths',
  'source',
  'destination',
  'cwd',
  'save_output',
  'command',
  'args',
  'uri',
  'category_dir',
  'name',
]);
const MAX_TEXT = 1000;
const MAX_ENTRIES = 50;

type Kept = string | readonly string[];

/** Paths and command lines of a call, each redacted and cut; undefined if it has none. */
export function keptArguments(
  args: unknown,
  clean: (text: string) => string,
): Readonly<Record<string, Kept>> | undefined {
  if (!isJsonObject(args)) return undefined;
  let kept: Record<string, Kept> | undefined;
  for (const name in args) {
    if (!KEPT.has(name) || !Object.hasOwn(args, name)) continue;
    const value = keptValue(args[name], clean);
    if (value === undefined) continue;
    kept ??= {};
    kept[name] = value;
  }
  return kept;
}

function keptValue(value: unknown, clean: (text: string) => string): Kept | undefined {
  if (typeof value === 'string') return cut(value, clean);
  if (!Array.isArray(value)) return undefined;
  const texts = value.slice(0, MAX_ENTRIES).filter((entry) => typeof entry === 'string');
  return texts.map((text) => cut(text, clean));
}

/** Redacts before cutting: half a secret would not be recognised as one. */
function cut(text: string, clean: (text: string) => string): string {
  const shown = clean(text.slice(0, 10 * MAX_TEXT));
  return shown.length <= MAX_TEXT ? shown : `${shown.slice(0, MAX_TEXT)}…`;
}
