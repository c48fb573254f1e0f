import { basename, dirname, join } from 'node:path';
import { isWithin } from '../program/toolchains.js';
import { doorsIn, judgeDoor } from './git-door.js';
import { foldersIn, isFolder, look } from './git-files.js';
import { placesOf } from './git-place.js';
import { pointerTarget, submoduleFolders, worktreeFolders } from './git-pointers.js';
import { type GitProtection, protectBare, protectGit } from './git-protection.js';
import { namedInside } from './named-files.js';

/** What is mounted read-only, and the git folders for which that is so. */
interface Protected {
  readonly own: GitProtection;
  readonly nested: readonly string[];
  readonly mounted: ReadonlySet<string>;
}

/**
 * Which repositories in the workspace are somebody's, and so read-only where git obeys them. Those that commands
 * made are theirs to remove as long as there is nothing in them that git would obey.
 */
export class ProtectedRepositories {
  #first: ReadonlySet<string> | undefined;
  #pointer: GitProtection | undefined;

  constructor(private readonly workspace: string) {}

  protect(
    writable: readonly string[],
    entries: readonly string[],
    { tidiesWorktrees, carried }: { readonly tidiesWorktrees: boolean; readonly carried: string | undefined },
  ): Protected {
    const folder = this.ownFolder();
    this.#first ??= new Set([...entries, ...worktreesOf(folder)]);
    const isFree = (path: string): boolean => tidiesWorktrees || this.#first?.has(path) !== true;
    const own = carried === undefined ? this.own(isFree) : this.#outside(carried);
    const isDoored = folder !== undefined && carried === undefined;
    const mounted = new Set(isDoored ? [folder, ...submoduleFolders(folder)] : []);
    const nested = [...new Set(entries)]
      .filter((entry) => entry !== join(this.workspace, '.git') && entry !== this.workspace)
      .flatMap((entry) => {
        if (isPartOf(entry, folder)) return isFree(entry) ? [] : [entry];
        if (!this.#isSomebodys(entry, writable)) return [];
        if (isFolder(entry)) for (const part of [entry, ...submoduleFolders(entry)]) mounted.add(part);
        const named = basename(entry) === '.git';
        return (named ? protectGit(dirname(entry)) : protectBare(entry)).readOnlyInside;
      });
    // A `.git` that does not exist in another folder that commands may write.
    const roots = writable.filter((root) => root !== this.workspace).map((root) => join(root, '.git'));
    return { own, nested: [...nested, ...roots.filter((path) => look(path) === undefined)], mounted };
  }

  /** Commands have a git folder of their own; what leads to it, and what the user's settings name, stays as it is. */
  #outside(carried: string): GitProtection {
    const entry = join(this.workspace, '.git');
    const named = namedInside(carried, this.workspace);
    return { write: this.ownWrite(), readOnlyInside: [...(look(entry)?.isFile() ? [entry] : []), ...named] };
  }

  #isSomebodys(entry: string, writable: readonly string[]): boolean {
    if (this.#first?.has(entry)) return true;
    return placesOf(entry, new Set(), writable)
      .flatMap(doorsIn)
      .some((door) => judgeDoor(door, undefined, { roots: writable, isOver: true }) !== undefined);
  }

  /** Git folders outside the workspace that belong to it. */
  ownWrite(): readonly string[] {
    const isPointer = this.#pointer !== undefined || look(join(this.workspace, '.git'))?.isFile() === true;
    return isPointer ? this.own().write : [];
  }

  /** The workspace's own git folder, if it has one. */
  ownFolder(): string | undefined {
    const entry = join(this.workspace, '.git');
    return isFolder(entry) ? entry : worktreeFolders(entry)?.common;
  }

  /** Where a `.git` file points is read once: a later command may have changed it. */
  own(isFree?: (own: string) => boolean): GitProtection {
    const isPointer = look(join(this.workspace, '.git'))?.isFile() === true;
    if (!isPointer && this.#pointer === undefined) return protectGit(this.workspace, isFree);
    this.#pointer ??= protectGit(this.workspace);
    return this.#pointer;
  }
}

function worktreesOf(folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  const worktrees = join(folder, 'worktrees');
  return foldersIn(worktrees).map((name) => join(worktrees, name));
}

/** A worktree or a submodule of the workspace's own repository, which git makes and removes. */
function isPartOf(entry: string, folder: string | undefined): boolean {
  const target = folder === undefined ? undefined : pointerTarget(entry);
  return target !== undefined && folder !== undefined && isWithin(target, folder);
}
