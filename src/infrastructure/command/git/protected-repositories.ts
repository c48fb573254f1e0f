import { basename, dirname, join } from 'node:path';
import { isWithin } from '../program/toolchains.js';
import { doorsIn, judgeDoor } from './git-door.js';
import { isFolder, look } from './git-files.js';
import { placesOf } from './git-place.js';
import { pointerTarget, submoduleFolders, worktreeFolders } from './git-pointers.js';
import { protectBare, protectGit } from './git-protection.js';
import { namedInside } from './named-files.js';

/** What is mounted read-only, and the git folders of which that is part. */
interface Protected {
  readonly readOnlyInside: readonly string[];
  readonly mounted: ReadonlySet<string>;
}

/** How a command meets the workspace's own repository. */
export interface OwnGit {
  /** Its git folder, of which commands have a private one. */
  readonly carried?: string | undefined;
  /** Commands make it just now: it is judged as any other that they make. */
  readonly isMade?: boolean | undefined;
}

/**
 * Which repositories in the workspace are somebody's, and so read-only where git obeys them. Those that commands
 * made are theirs to remove as long as there is nothing in them that git would obey.
 */
export class ProtectedRepositories {
  #first: ReadonlySet<string> | undefined;
  #pointed: string | undefined;

  constructor(private readonly workspace: string) {}

  protect(
    writable: readonly string[],
    entries: readonly string[],
    { tidiesWorktrees, ...git }: OwnGit & { readonly tidiesWorktrees: boolean },
  ): Protected {
    const folder = this.ownFolder();
    this.#first ??= new Set(entries);
    const isFree = (path: string): boolean => tidiesWorktrees || this.#first?.has(path) !== true;
    const mounted = new Set<string>();
    const nested = [...new Set(entries)]
      .filter((entry) => entry !== join(this.workspace, '.git') && entry !== this.workspace)
      .flatMap((entry) => {
        if (isPartOf(entry, folder)) return isFree(entry) ? [] : [entry];
        if (!this.#isSomebodys(entry, writable)) return [];
        if (isFolder(entry)) for (const part of [entry, ...submoduleFolders(entry)]) mounted.add(part);
        return basename(entry) === '.git' ? protectGit(dirname(entry)) : protectBare(entry);
      });
    // A `.git` that does not exist in another folder that commands may write.
    const roots = writable.filter((root) => root !== this.workspace).map((root) => join(root, '.git'));
    const missing = roots.filter((path) => look(path) === undefined);
    return { readOnlyInside: [...this.#own(folder, git), ...nested, ...missing], mounted };
  }

  /** Commands have a git folder of their own, or none: what leads to it, and what the user's settings name, stays as it is. */
  #own(folder: string | undefined, { carried, isMade }: OwnGit): readonly string[] {
    const entry = join(this.workspace, '.git');
    if (isMade) return [];
    const pointer = look(entry)?.isFile() ? [entry] : [];
    if (carried !== undefined) return [...pointer, ...namedInside(carried, this.workspace)];
    return folder === undefined ? [entry] : [...pointer, folder, ...namedInside(folder, this.workspace)];
  }

  #isSomebodys(entry: string, writable: readonly string[]): boolean {
    if (this.#first?.has(entry)) return true;
    return placesOf(entry, new Set(), writable)
      .flatMap(doorsIn)
      .some((door) => judgeDoor(door, undefined, { roots: writable, isOver: true }) !== undefined);
  }

  /** Git folders outside the workspace that belong to it. */
  ownOutside(): readonly string[] {
    const folder = this.ownFolder();
    return folder === undefined || isWithin(folder, this.workspace) ? [] : [folder];
  }

  /** The workspace's own git folder, if it has one. Where a `.git` file points is read once: somebody may change it later. */
  ownFolder(): string | undefined {
    const entry = join(this.workspace, '.git');
    if (isFolder(entry)) return entry;
    this.#pointed ??= worktreeFolders(entry)?.common;
    return this.#pointed;
  }
}

/** A worktree or a submodule of the workspace's own repository, which git makes and removes. */
function isPartOf(entry: string, folder: string | undefined): boolean {
  const target = folder === undefined ? undefined : pointerTarget(entry);
  return target !== undefined && folder !== undefined && isWithin(target, folder);
}
