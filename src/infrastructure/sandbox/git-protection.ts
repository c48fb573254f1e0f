import { lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readForeignFileSync } from '../state/foreign-file.js';

/** What a workspace's repositories need so that commits work and nothing in them runs code later. */
export interface GitProtection {
  /** Git folders outside the workspace that belong to it (a worktree's). */
  readonly write: readonly string[];
  readonly readOnlyInside: readonly string[];
}

const MAX_SUBMODULE_DEPTH = 4;
/** A pointer is a path, which is no longer than this. */
const MAX_POINTER_BYTES = 8192;
const POINTER = /^gitdir: (.+?)\r?\n?$/;

/**
 * Resolves the git folders of a workspace. To be called when the workspace is opened and kept: later a
 * command could have changed what `.git` points at. Few and small looks at the disk, before every command: each
 * would take ten times as long by way of the thread pool.
 */
export function protectGit(workspace: string): GitProtection {
  const entry = join(workspace, '.git');
  const found = look(entry);
  if (found?.isDirectory()) return { write: [], readOnlyInside: protectedIn(entry) };
  if (!found?.isFile()) return { write: [], readOnlyInside: [entry] };
  const worktree = worktreeFolders(workspace, entry);
  if (worktree === undefined) return { write: [], readOnlyInside: [entry] };
  return {
    write: [worktree.common],
    readOnlyInside: [
      entry,
      ...protectedIn(worktree.common),
      join(worktree.own, 'config.worktree'),
      join(worktree.own, 'commondir'),
      join(worktree.own, 'gitdir'),
    ],
  };
}

function worktreeFolders(
  workspace: string,
  entry: string,
): { readonly own: string; readonly common: string } | undefined {
  const target = POINTER.exec(textOf(entry) ?? '')?.[1];
  if (target === undefined) return undefined;
  const own = resolve(workspace, target);
  const [back, common] = [firstLine(join(own, 'gitdir')), firstLine(join(own, 'commondir'))];
  // The pointer comes from the workspace, which may be anybody's; the folder it names must point back.
  if (back === undefined || common === undefined || resolve(own, back) !== entry) return undefined;
  const folder = resolve(own, common);
  return dirname(dirname(own)) === folder ? { own, common: folder } : undefined;
}

function firstLine(path: string): string | undefined {
  return textOf(path)?.split(/\r?\n/, 1)[0];
}

function protectedIn(folder: string): readonly string[] {
  const hooks = join(folder, 'hooks');
  // An empty folder is what git itself may leave here; a missing one could not be kept from being made.
  if (look(hooks) === undefined) makeFolder(hooks);
  // `commondir` would send git elsewhere for its configuration, `config.worktree` adds to it.
  const own = ['config', 'config.worktree', 'commondir'].map((name) => join(folder, name));
  return [hooks, ...own, ...submodules(join(folder, 'modules'), MAX_SUBMODULE_DEPTH)];
}

function submodules(folder: string, depth: number): readonly string[] {
  if (depth === 0 || look(folder)?.isDirectory() !== true) return [];
  const found: string[] = [];
  for (const entry of foldersIn(folder)) {
    const path = join(folder, entry);
    const isGitFolder = look(join(path, 'HEAD'))?.isFile() === true;
    found.push(...(isGitFolder ? protectedIn(path) : submodules(path, depth - 1)));
  }
  return found;
}

// What cannot be looked at is treated as absent: the sandbox then neither shows nor protects anything there.
function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  const file = readForeignFileSync(path, { maxBytes: MAX_POINTER_BYTES, links: 'nowhere' });
  return file.kind === 'bytes' ? file.bytes.toString('utf8') : undefined;
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch {
    // A repository that the server cannot write, nor can what it starts.
  }
}
