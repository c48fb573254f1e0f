import type { HeldTree } from './held-tree.js';
import { join } from './refs.js';

/** One git folder of a repository: the main one, that of a linked worktree, or that of a submodule. */
export interface Unit {
  /** From the side's root; empty: the main one. */
  readonly path: string;
  readonly kind: 'main' | 'worktree' | 'module';
  /** The unit that has the objects, the configuration and the shared refs. */
  readonly common: string;
}

const MAX_DEPTH = 8;
const MAX_UNITS = 1_000;
const WORKTREE = /^[\w.@+-]+$/;

/** Whether it has objects, a configuration and shared refs of its own. */
export function isWhole({ kind }: Unit): boolean {
  return kind !== 'worktree';
}

/** Every git folder of a side, outer ones first. */
export function unitsOf(tree: HeldTree): readonly Unit[] {
  return unitsAt(tree, '', 0).slice(0, MAX_UNITS);
}

function unitsAt(tree: HeldTree, path: string, depth: number): readonly Unit[] {
  const own: Unit = { path, kind: path === '' ? 'main' : 'module', common: path };
  const worktrees = tree
    .list(join(path, 'worktrees'))
    .filter((entry) => entry.isDirectory() && WORKTREE.test(entry.name))
    .map(({ name }): Unit => ({ path: join(path, `worktrees/${name}`), kind: 'worktree', common: path }));
  return [own, ...worktrees, ...modulesBelow(tree, join(path, 'modules'), depth + 1)];
}

/** A submodule's name may have slashes, and so be a folder in folders. */
function modulesBelow(tree: HeldTree, path: string, depth: number): readonly Unit[] {
  if (depth > MAX_DEPTH) return [];
  return tree
    .list(path)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const inner = `${path}/${name}`;
      const isUnit = tree.stat(`${inner}/HEAD`)?.isFile() === true && tree.isFolder(`${inner}/objects`);
      return isUnit ? unitsAt(tree, inner, depth) : modulesBelow(tree, inner, depth + 1);
    });
}
