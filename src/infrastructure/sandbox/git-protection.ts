import { lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** What a workspace's repositories need so that commits work and nothing in them runs code later. */
export interface GitProtection {
  /** Git folders outside the workspace that belong to it (a worktree's). */
  readonly write: readonly string[];
  readonly readOnlyInside: readonly string[];
}

const MAX_SUBMODULE_DEPTH = 4;
const POINTER = /^gitdir: (.+?)\r?\n?$/;

/**
 * Resolves the git folders of a workspace. To be called when the workspace is opened and kept: later a
 * command could have changed what `.git` points at.
 */
export async function protectGit(workspace: string): Promise<GitProtection> {
  const entry = join(workspace, '.git');
  const found = await lstat(entry).catch(() => undefined);
  if (found?.isDirectory()) return { write: [], readOnlyInside: await protectedIn(entry) };
  if (!found?.isFile()) return { write: [], readOnlyInside: [entry] };
  const worktree = await worktreeFolders(workspace, entry);
  if (worktree === undefined) return { write: [], readOnlyInside: [entry] };
  return {
    write: [worktree.common],
    readOnlyInside: [
      entry,
      ...(await protectedIn(worktree.common)),
      join(worktree.own, 'config.worktree'),
      join(worktree.own, 'commondir'),
      join(worktree.own, 'gitdir'),
    ],
  };
}

async function worktreeFolders(
  workspace: string,
  entry: string,
): Promise<{ readonly own: string; readonly common: string } | undefined> {
  const target = POINTER.exec(await readFile(entry, 'utf8'))?.[1];
  if (target === undefined) return undefined;
  const own = resolve(workspace, target);
  const [back, common] = await Promise.all([
    firstLine(join(own, 'gitdir')),
    firstLine(join(own, 'commondir')),
  ]);
  // The pointer comes from the workspace, which may be anybody's; the folder it names must point back.
  if (back === undefined || common === undefined || resolve(own, back) !== entry) return undefined;
  const folder = resolve(own, common);
  return dirname(dirname(own)) === folder ? { own, common: folder } : undefined;
}

async function firstLine(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text?.split(/\r?\n/, 1)[0];
}

async function protectedIn(folder: string): Promise<readonly string[]> {
  // An empty folder is what git itself may leave here; a missing one could not be kept from being made.
  await mkdir(join(folder, 'hooks')).catch(() => undefined);
  // `commondir` would send git elsewhere for its configuration, `config.worktree` adds to it.
  const own = ['hooks', 'config', 'config.worktree', 'commondir'].map((name) => join(folder, name));
  return [...own, ...(await submodules(join(folder, 'modules'), MAX_SUBMODULE_DEPTH))];
}

async function submodules(folder: string, depth: number): Promise<readonly string[]> {
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    const isGitFolder = (await lstat(join(path, 'HEAD')).catch(() => undefined))?.isFile() === true;
    found.push(...(isGitFolder ? await protectedIn(path) : await submodules(path, depth - 1)));
  }
  return found;
}
