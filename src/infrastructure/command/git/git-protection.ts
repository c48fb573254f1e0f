import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { foldersIn, look } from './git-files.js';
import { submoduleFolders, worktreeFolders } from './git-pointers.js';
import { namedInside } from './named-files.js';

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
 * What is read-only of a repository of the user's below the workspace, so that commits work and nothing in it runs code
 * later. Few and small looks at the disk, before every command: each would take ten times as long by way of the thread pool.
 */
export function protectGit(worktree: string): readonly string[] {
  const entry = join(worktree, '.git');
  const found = look(entry);
  if (found?.isDirectory()) return protectedIn(entry, worktree);
  const folders = found?.isFile() ? worktreeFolders(entry) : undefined;
  if (folders === undefined) return [entry];
  return [entry, ...protectedIn(folders.common, worktree), ...worktreeDoors(folders.own)];
}

/** A repository without a worktree, or one that only looks like it. */
export function protectBare(folder: string): readonly string[] {
  return [join(folder, 'hooks'), ...DOORS.map((name) => join(folder, name))];
}

function protectedIn(folder: string, worktree: string): readonly string[] {
  const worktrees = join(folder, 'worktrees');
  return [
    ...withHooks(folder),
    ...namedInside(folder, worktree),
    ...foldersIn(worktrees).flatMap((name) => worktreeDoors(join(worktrees, name))),
    ...submoduleFolders(folder).flatMap(withHooks),
  ];
}

/** An empty folder is what git itself may leave here; a missing one could not be kept from being made. */
function withHooks(folder: string): readonly string[] {
  const hooks = join(folder, 'hooks');
  if (look(hooks) === undefined) makeFolder(hooks);
  return protectBare(folder);
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
