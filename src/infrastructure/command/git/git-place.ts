import { basename, dirname, join } from 'node:path';
import { isWithin } from '../program/toolchains.js';
import { looksLikeRepository } from '../workspace/implicit-repositories.js';
import { entriesIn, foldersIn, look } from './git-files.js';
import { commonFolder, pointerTarget, submoduleFolders } from './git-pointers.js';

/** What commands can reach. */
export interface DoorScope {
  /** Folders that commands may write. */
  readonly roots: readonly string[];
  /** Repositories in them, as the walk found them: `.git` entries and folders that look like one. */
  readonly entries: readonly string[];
  /** Git folders whose configuration and hooks are mounted read-only. */
  readonly mounted: ReadonlySet<string>;
  /** The workspace's own git folder, which commands do not write: nothing in it is theirs. */
  readonly own: string | undefined;
}

/** A folder that git reads settings and state from. */
export interface GitPlace {
  readonly folder: string;
  /** Its configuration and hooks are read-only for commands, so that a change of them is somebody else's. */
  readonly isMounted: boolean;
  /** What its `commondir` must lead to; undefined: any folder that commands may write, which is judged as well. */
  readonly common: string | undefined;
  /** It has another name than git gives, and is one only as long as it has a HEAD. */
  readonly isLookalike: boolean;
}

const NESTED = { isMounted: false, common: undefined, isLookalike: false };
const WATCHED = [
  'info',
  'objects/info',
  'worktrees',
  'modules',
  'rebase-merge',
  'sequencer',
  'remotes',
  'branches',
];

/** A repository below the workspace: `.git` as a folder or a file, or a folder that looks like one. */
export function placesOf(
  entry: string,
  mounted: ReadonlySet<string>,
  roots: readonly string[],
): readonly GitPlace[] {
  const isNamed = basename(entry) === '.git';
  if (isNamed && look(entry)?.isFile()) {
    const folder = pointerTarget(entry);
    const isInside = folder !== undefined && roots.some((root) => isWithin(folder, root));
    return isInside ? withParts({ ...NESTED, folder }, mounted) : [];
  }
  if (look(entry)?.isDirectory() !== true || !(isNamed || isLookalike(entry))) return [];
  const isMounted = mounted.has(entry);
  const common = isMounted ? entry : undefined;
  return withParts({ folder: entry, isMounted, common, isLookalike: !isNamed && !isMounted }, mounted);
}

function isLookalike(folder: string): boolean {
  return (
    look(join(folder, 'HEAD')) !== undefined &&
    looksLikeRepository(new Set(entriesIn(folder).map(({ name }) => name)))
  );
}

/** With its worktrees and submodules, and the folder that it shares settings with. */
function withParts(place: GitPlace, mounted: ReadonlySet<string>): readonly GitPlace[] {
  const { folder } = place;
  const worktrees = foldersIn(join(folder, 'worktrees')).map((name) => ({
    ...NESTED,
    folder: join(folder, 'worktrees', name),
    common: folder,
  }));
  const modules = submoduleFolders(folder).map((module) => ({
    ...NESTED,
    folder: module,
    isMounted: mounted.has(module),
    common: module,
  }));
  const shared = place.common === undefined ? commonFolder(folder) : undefined;
  // A worktree's folder lies in the one that it shares, which is judged for itself.
  const isElsewhere = shared !== undefined && shared !== folder && dirname(dirname(folder)) !== shared;
  return [place, ...worktrees, ...modules, ...(isElsewhere ? [{ ...NESTED, folder: shared }] : [])];
}

/** Folders in which something new may be a door. */
export function foldersToWatch({ folder }: GitPlace): readonly string[] {
  return [folder, ...WATCHED.map((name) => join(folder, name))];
}

/** Every place of git that a command could write: those of the entries, and the workspace where it looks like one. */
export function allPlaces(
  workspace: string,
  entries: readonly string[],
  { mounted, roots, own }: Pick<DoorScope, 'mounted' | 'roots' | 'own'>,
): readonly GitPlace[] {
  const places = new Map<string, GitPlace>();
  const found = [...entries, workspace].flatMap((entry) => placesOf(entry, mounted, roots));
  // The first that names a folder knows it best: the repository that it belongs to.
  for (const place of found) if (!places.has(place.folder)) places.set(place.folder, place);
  return [...places.values()]
    .filter(({ folder }) => own === undefined || !isWithin(folder, own))
    .filter(({ folder }) => roots.some((root) => isWithin(folder, root)));
}
