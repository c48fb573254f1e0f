import type { FolderNode } from './folder-node.js';
import { type MatchedPaths, matchedAs } from './matched-paths.js';
import { tryLookAt } from './read-entries.js';

/** The entries that make git take a folder for a repository. */
export const REPOSITORY_PARTS: ReadonlySet<string> = new Set(['HEAD', 'objects', 'refs', 'commondir']);

/** Notes that git would take a folder for a repository although it is not called `.git`, or that it no longer would. */
export function noteImplicitRepository(node: FolderNode, matches: MatchedPaths): void {
  const { path, name, parent, inherited } = node;
  if (inherited.git || name === '.git') return;
  const known = matches.get(path);
  if (known !== undefined && known.kind !== 'git') return;
  const parts = [...REPOSITORY_PARTS].filter((part) => tryLookAt(`${path}/${part}`) !== undefined);
  const stats = tryLookAt(path);
  if (stats !== undefined && looksLikeRepository(new Set(parts))) {
    parent?.found.add(name);
    matches.set(path, matchedAs('git', stats));
  } else if (known !== undefined) {
    parent?.found.delete(name);
    matches.drop(path);
  }
}

/** What makes git take a folder for a repository without being told: it need not be called `.git`. */
export function looksLikeRepository(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && ((names.has('objects') && names.has('refs')) || names.has('commondir'));
}
