import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '../program/toolchains.js';
import { foldersIn, look } from './git-files.js';
import { firstLine, submoduleFolders, worktreeFolders } from './git-pointers.js';
import { namedInside } from './named-files.js';

/** What a workspace's repositories need so that commits work and nothing in them runs code later. */
export interface GitProtection {
  /** Git folders outside the workspace that belong to it (a worktree's). */
  readonly write: readonly string[];
  readonly readOnlyInside: readonly string[];
}

/** Files of a git folder that make git run something or look elsewhere, where they exist. */
const DOORS = [
  'config',
  'config.worktree',
  'commondir',
  'info/attributes',
  'objects/info/alternates',
  'objects/info/http-alternates',
  'remotes',
  'branches',
];

/**
 * Resolves the git folders of a workspace. To be called when the workspace is opened and kept: later a
 * command could have changed what `.git` points at. Few and small looks at the disk, before every command: each
 * would take ten times as long by way of the thread pool.
 */
export function protectGit(workspace: string, isFree: IsFree = noneIsFree): GitProtection {
  const entry = join(workspace, '.git');
  const found = look(entry);
  if (found?.isDirectory()) return { write: [], readOnlyInside: protectedIn(entry, workspace, isFree) };
  if (!found?.isFile()) return { write: [], readOnlyInside: [entry] };
  const worktree = worktreeFolders(entry);
  if (worktree === undefined) return { write: [], readOnlyInside: [entry] };
  return {
    write: [worktree.common],
    readOnlyInside: [
      entry,
      ...protectedIn(worktree.common, workspace, isFree),
      ...worktreeDoors(worktree.own),
    ],
  };
}

/** A repository without a worktree, or one that only looks like it. */
export function protectBare(folder: string): GitProtection {
  return { write: [], readOnlyInside: [join(folder, 'hooks'), ...DOORS.map((name) => join(folder, name))] };
}

/** Whether a worktree's folder in `.git/worktrees` is left to commands. */
type IsFree = (own: string) => boolean;

function noneIsFree(): boolean {
  return false;
}

function protectedIn(folder: string, worktree: string, isFree: IsFree): readonly string[] {
  const hooks = join(folder, 'hooks');
  // An empty folder is what git itself may leave here; a missing one could not be kept from being made.
  if (look(hooks) === undefined) makeFolder(hooks);
  return [
    hooks,
    ...DOORS.map((name) => join(folder, name)),
    ...namedInside(folder, worktree),
    ...otherWorktrees(folder, worktree, isFree),
    ...submoduleFolders(folder).flatMap((module) => {
      const own = join(module, 'hooks');
      if (look(own) === undefined) makeFolder(own);
      return [own, ...DOORS.map((name) => join(module, name))];
    }),
  ];
}

/** All but those in the workspace that are left to commands. */
function otherWorktrees(folder: string, worktree: string, isFree: IsFree): readonly string[] {
  const worktrees = join(folder, 'worktrees');
  return foldersIn(worktrees)
    .map((name) => join(worktrees, name))
    .filter((own) => {
      const back = firstLine(join(own, 'gitdir'));
      return back === undefined || !isWithin(dirname(resolve(own, back)), worktree) || !isFree(own);
    })
    .flatMap(worktreeDoors);
}

function worktreeDoors(own: string): readonly string[] {
  return ['config.worktree', 'commondir', 'gitdir'].map((name) => join(own, name));
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch {
    // A repository that the server cannot write, nor can what it starts.
  }
}
