import { looksLikeRepository } from '../git/git-pointers.js';
import type { FolderNode } from './folder-node.js';
import { tryLookAt } from './read-entries.js';
import { foundAs, type TreeFindings } from './tree-findings.js';

/** The entries that make git take a folder for a repository. */
export const REPOSITORY_PARTS: ReadonlySet<string> = new Set(['HEAD', 'objects', 'refs', 'commondir']);

/** Notes that git would take a folder for a repository although it is not called `.git`, or that it no longer would. */
export function noteLookalike(node: FolderNode, findings: TreeFindings): void {
  const { path, name, parent, surroundings } = node;
  if (surroundings.git || name === '.git') return;
  const known = findings.get(path);
  if (known !== undefined && known.kind !== 'git') return;
  const parts = [...REPOSITORY_PARTS].filter((part) => tryLookAt(`${path}/${part}`) !== undefined);
  const stats = tryLookAt(path);
  if (stats !== undefined && looksLikeRepository(new Set(parts))) {
    parent?.found.add(name);
    findings.set(path, foundAs('git', stats));
  } else if (known !== undefined) {
    parent?.found.delete(name);
    findings.drop(path);
  }
}
