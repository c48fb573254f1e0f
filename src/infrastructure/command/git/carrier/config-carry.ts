import { readFileSync, writeFileSync } from 'node:fs';
import { trustedGit } from './trusted-git.js';

export type Entries = readonly (readonly [key: string, value: string])[];

/** The settings of a text as git reads them, without what it includes; undefined where git cannot. */
export function entriesOf(text: Uint8Array | undefined): Entries | undefined {
  if (text === undefined || text.length === 0) return [];
  const listing = trustedGit(['config', '--file', '-', '--no-includes', '--list', '-z'], { input: text });
  if (!listing.isDone) return undefined;
  return listing.out
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end < 0 ? ([entry, 'true'] as const) : ([entry.slice(0, end), entry.slice(end + 1)] as const);
    });
}

/** The keys of which two texts say different things, and what the second says. */
export function changedKeys(before: Entries, after: Entries): ReadonlyMap<string, readonly string[]> {
  const [old, fresh] = [grouped(before), grouped(after)];
  const changed = new Map<string, readonly string[]>();
  for (const key of new Set([...old.keys(), ...fresh.keys()])) {
    const values = fresh.get(key) ?? [];
    if (values.join('\0') !== (old.get(key) ?? []).join('\0') || old.has(key) !== fresh.has(key))
      changed.set(key, values);
  }
  return changed;
}

export function grouped(entries: Entries): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, value] of entries) groups.set(key, [...(groups.get(key) ?? []), value]);
  return groups;
}

/** The text with these keys set; a key without values is removed. `draft`: a file of our own. */
export function withKeys(
  text: Uint8Array,
  changes: ReadonlyMap<string, readonly string[]>,
  draft: string,
): Buffer {
  writeFileSync(draft, text);
  const config = (...args: readonly string[]): void => void trustedGit(['config', '--file', draft, ...args]);
  for (const [key, values] of changes) {
    const [only] = values;
    // In its place, as git itself would do it.
    if (values.length === 1 && only !== undefined) {
      config('--replace-all', key, only);
      continue;
    }
    config('--unset-all', key);
    for (const value of values) config('--add', key, value);
    // git leaves the header of a section that has become empty, which `git remote remove` does not.
    const section = key.slice(0, key.lastIndexOf('.'));
    if (values.length === 0 && !hasSection(readFileSync(draft), section)) config('--remove-section', section);
  }
  return readFileSync(draft);
}

function hasSection(text: Uint8Array, section: string): boolean {
  return (entriesOf(text) ?? []).some(([key]) => key.slice(0, key.lastIndexOf('.')) === section);
}

/** What the user's settings are inside: no daemon or hook of the user can be reached, and no key to sign with. */
const FORCED: readonly (readonly [RegExp, string])[] = [
  [/fsmonitor/i, '[core]\n\tfsmonitor = false\n'],
  [/splitindex/i, '[core]\n\tsplitIndex = false\n'],
  [/gpgsign/i, '[commit]\n\tgpgsign = false\n[tag]\n\tgpgsign = false\n'],
];
const FORCED_KEYS = /^(?:core\.(?:fsmonitor|splitindex)|(?:commit|tag)\.gpgsign)$/;

export function asInside(text: Buffer): Buffer {
  const plain = text.toString('latin1');
  const more = FORCED.filter(([pattern]) => pattern.test(plain)).map(([, lines]) => lines);
  return more.length === 0 ? text : Buffer.from(`${plain.replace(/\n?$/, '\n')}${more.join('')}`, 'latin1');
}

/** A key that has a value of our own inside. */
export function isForced(key: string): boolean {
  return FORCED_KEYS.test(key);
}
