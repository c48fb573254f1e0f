import { dirname, join, resolve } from 'node:path';
import { entriesIn, isFolder, look, readRegularFile } from './git-files.js';

const POINTER = /^gitdir: (.+?)\r?\n?$/;
const MAX_SUBMODULE_DEPTH = 4;
const MAX_SUBMODULES = 200;

/** Where a `.git` file points, as a path; undefined where it is no such file. */
export function pointerTarget(entry: string): string | undefined {
  const target = POINTER.exec(readRegularFile(entry) ?? '')?.[1];
  return target === undefined ? undefined : resolve(dirname(entry), target);
}

export function firstLine(path: string): string | undefined {
  return readRegularFile(path)?.split(/\r?\n/, 1)[0];
}

/** The folder that git takes for the shared part of `folder`, as its `commondir` says. */
export function commonFolder(folder: string): string | undefined {
  const line = firstLine(join(folder, 'commondir'));
  return line === undefined ? undefined : resolve(folder, line);
}

/** A worktree's two folders, where the `.git` file and the folder it names point at each other. */
export function worktreeFolders(
  entry: string,
): { readonly own: string; readonly common: string } | undefined {
  const own = pointerTarget(entry);
  if (own === undefined) return undefined;
  const [back, common] = [firstLine(join(own, 'gitdir')), commonFolder(own)];
  // The pointer comes from the workspace, which may be anybody's; the folder it names must point back.
  if (back === undefined || common === undefined || resolve(own, back) !== entry) return undefined;
  return dirname(dirname(own)) === common ? { own, common } : undefined;
}

/** Git folders of submodules, and of theirs. */
export function submoduleFolders(folder: string): readonly string[] {
  return below(join(folder, 'modules'), MAX_SUBMODULE_DEPTH).slice(0, MAX_SUBMODULES);
}

function below(folder: string, depth: number): readonly string[] {
  if (depth === 0 || !isFolder(folder)) return [];
  return entriesIn(folder)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const path = join(folder, name);
      // A name with slashes is a folder in folders.
      return isPartOfGit(path) ? [path, ...submoduleFolders(path)] : below(path, depth - 1);
    });
}

/** Also true of one that is still being made, or only pretends: it is judged all the same. */
function isPartOfGit(folder: string): boolean {
  return ['HEAD', 'config', 'hooks', 'commondir'].some((name) => look(join(folder, name)) !== undefined);
}
