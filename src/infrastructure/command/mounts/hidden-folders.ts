import { dirname, join } from 'node:path';
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
  const hidden = new Set(hide);
  const counts = new Map<string, number>();
  for (const path of hide) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  const others = new Set([...mounted, ...[...mounted, ...(placeholders?.keys() ?? [])].map(dirname)]);
  const whole = [...counts.keys()].filter(
    (folder) =>
      (counts.get(folder) ?? 0) >= MANY_NAMES &&
      !others.has(folder) &&
      namesIn(folder).every((name) => hidden.has(join(folder, name))),
  );
  return whole.length === 0 ? hide : [...hide.filter((path) => !whole.includes(dirname(path))), ...whole];
}
