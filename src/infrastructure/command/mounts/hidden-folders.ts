import { basename, dirname, join } from 'node:path';
import type { SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { namesIn } from './system-view.js';

/** Every command copies all mounts of its view: so many in one folder would make each of them slow. */
const MANY_NAMES = 200;

/**
 * What is to be hidden, with each folder as one that holds very many hidden files and nothing else. Not where git is to find
 * something in the place of a file, nor where something else is mounted.
 */
export function withWholeFolders(
  { hide, placeholders }: SandboxView,
  mounted: ReadonlySet<string>,
): readonly string[] {
  if (hide.length < MANY_NAMES) return hide;
  const { full, rest } = fullFolders.get(hide) ?? groupByFolder(hide);
  fullFolders.set(hide, { full, rest });
  const others = new Set([...mounted, ...[...mounted, ...(placeholders?.keys() ?? [])].map(dirname)]);
  return [
    ...rest,
    ...[...full].flatMap(([folder, names]) =>
      !others.has(folder) && namesIn(folder).every((name) => names.has(name))
        ? [folder]
        : [...names].map((name) => join(folder, name)),
    ),
  ];
}

interface Grouped {
  /** Folders with many of them, and their names there. */
  readonly full: ReadonlyMap<string, ReadonlySet<string>>;
  readonly rest: readonly string[];
}

/** The same list comes with every command until something changes. */
const fullFolders = new WeakMap<readonly string[], Grouped>();

function groupByFolder(hide: readonly string[]): Grouped {
  const folders = new Map<string, Set<string>>();
  for (const path of hide) {
    const names = folders.get(dirname(path)) ?? new Set();
    folders.set(dirname(path), names.add(basename(path)));
  }
  const full = new Map([...folders].filter(([, names]) => names.size >= MANY_NAMES));
  return { full, rest: hide.filter((path) => !full.has(dirname(path))) };
}
