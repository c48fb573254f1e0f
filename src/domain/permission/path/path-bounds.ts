import { type Denial, deny } from '../policy/decision.js';
import type { SandboxProfile } from '../policy/obligations.js';
import type { RulePosition } from '../policy/rule-position.js';
import { isInside } from './normal-path.js';
import type { PathRules } from './path-rules.js';

export type Access = 'read' | 'write';

/** The `allowed_paths` of files.read or files.write: nothing reads, or changes, what they do not cover. */
export interface PathBound {
  readonly paths: PathRules;
  readonly at: RulePosition;
}

/** They grant nothing; an absent one binds nothing. */
export interface PathBounds {
  readonly read?: PathBound;
  readonly write?: PathBound;
}

export function isBeyond(bounds: PathBounds, access: Access, path: string): boolean {
  const bound = bounds[access];
  if (bound === undefined || bound.paths.covers(path)) return false;
  return access === 'write' || !leadsTo(bound, path);
}

/** A folder on the way to what may be read is listed: of what lies in it, only that is shown. */
function leadsTo({ paths }: PathBound, folder: string): boolean {
  return paths.rules.some(({ pattern }) => isInside(pattern, folder));
}

/** isBeyond of reads, for the entries of one folder. */
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

/** Where a list allows something, for whoever it was written for. */
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
 * The sandbox under the bounds. A view is made of folders, so only rules that name one leave something; a folder
 * that can be written can be read as well, so it has to lie within both.
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
