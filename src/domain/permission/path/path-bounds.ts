import { type Denial, deny } from '../policy/decision.js';
import type { SandboxProfile } from '../policy/obligations.js';
import type { RulePosition } from '../policy/rule-position.js';
import { isInside } from './normal-path.js';
import type { PathRules } from './path-rules.js';

export type Access = 'read' | 'write';

/** The `allowed_paths` of files.read or files.write: nothing outside them is read or changed. */
export interface PathBound {
  readonly paths: PathRules;
  readonly at: RulePosition;
}

/** Bounds grant nothing; a missing one restricts nothing. */
export interface PathBounds {
  readonly read?: PathBound;
  readonly write?: PathBound;
}

export function isBeyond(bounds: PathBounds, access: Access, path: string): boolean {
  const bound = bounds[access];
  if (bound === undefined || bound.paths.covers(path)) return false;
  return access === 'write' || !leadsTo(bound, path);
}

/** A directory on the way to readable files is listed, but only with the entries that lead to them. */
function leadsTo({ paths }: PathBound, folder: string): boolean {
  return paths.rules.some(({ pattern }) => isInside(pattern, folder));
}

/** isBeyond for reads, for the entries of one directory. */
export function hidesFolderEntry({ read }: PathBounds, folder: string): (name: string) => boolean {
  if (read === undefined) return () => false;
  const covers = read.paths.coversIn(folder);
  return (name) => !covers(name) && !leadsTo(read, folder === '/' ? `/${name}` : `${folder}/${name}`);
}

export function checkBound(
  { bounds, workspace }: { readonly bounds: PathBounds; readonly workspace: string },
  access: Access,
  path: string,
): Denial | undefined {
  const bound = bounds[access];
  if (bound === undefined || !isBeyond(bounds, access, path)) return undefined;
  return deny(
    'NO_ALLOW',
    { kind: 'path', text: path },
    `Nothing in allowed_paths of files.${access} covers ${path}; it binds every tool and every command.`,
    `The policy lets every tool and command ${access === 'read' ? 'read' : 'change'} files ${foldersOf(bound.paths, workspace)}, and this path is not there.`,
    bound.at,
  );
}

const MOST_FOLDERS = 8;

/** The directories that a list allows, as text for its author. */
export function foldersOf({ rules }: PathRules, workspace: string): string {
  const names = [...new Set(rules.map(({ pattern }) => folderName(pattern, workspace)))];
  if (names.length === 0) return 'nowhere';
  const more = names.length > MOST_FOLDERS ? ` and ${names.length - MOST_FOLDERS} more places` : '';
  return `only in ${names.slice(0, MOST_FOLDERS).join(', ')}${more}`;
}

function folderName(pattern: string, workspace: string): string {
  if (pattern === workspace) return 'the workspace';
  return isInside(pattern, workspace) ? pattern.slice(workspace === '/' ? 1 : workspace.length + 1) : pattern;
}

/**
 * Restricts a sandbox to the bounds. A view consists of directories, so only rules that name one have an
 * effect; a writable directory is also readable, so it must be within both.
 */
export function boundSandbox(
  profile: SandboxProfile | undefined,
  { read, write }: PathBounds,
): SandboxProfile | undefined {
  if (profile === undefined || (read === undefined && write === undefined)) return profile;
  const readable = [...profile.read, ...profile.write];
  const writable = within(within(profile.write, write), read);
  return { ...profile, read: within(readable, read), write: writable };
}

function within(folders: readonly string[], bound: PathBound | undefined): readonly string[] {
  if (bound === undefined || bound.paths.rules.some(({ pattern }) => pattern === '*')) return folders;
  const places = bound.paths.rules
    .map(({ pattern }) => pattern)
    .filter((pattern) => !/[*?[{\\]/.test(pattern));
  return [
    ...new Set([
      ...folders.filter((folder) => places.some((place) => isInside(folder, place))),
      ...places.filter((place) => folders.some((folder) => isInside(place, folder))),
    ]),
  ];
}
