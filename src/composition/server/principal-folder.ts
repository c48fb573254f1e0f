import { lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isInside } from '../../domain/permission/path/normal-path.js';
import { Result } from '../../domain/result.js';
import { hasErrno, reasonOf } from '../../infrastructure/state/errno.js';
import { type HeldFolder, holdFolder } from '../../infrastructure/state/held-folder.js';

const MAX_LINKS = 40;
const OWN_FOLDER = 0o700;

/**
 * Opens the folder of a principal and makes it if it is missing. Links of the machine's owner are followed on the
 * way. From `callersFolders` on, where a caller could have made a link, none is: neither in the server's workspace
 * nor below a folder that the policy gives to principals.
 */
export function holdPrincipalFolder(path: string, callersFolders: readonly string[]): Result<HeldFolder> {
  try {
    const way = ownersWay(path, realFolders(callersFolders));
    if (!way.success) return way;
    return holdFolder(way.value.base, way.value.names, OWN_FOLDER);
  } catch (error) {
    return Result.failure(
      `The workspace of this caller cannot be opened (${reasonOf(error)}).`,
      'NoWorkspace',
    );
  }
}

interface Way {
  /** Reached through links of the owner at most. */
  readonly base: string;
  readonly names: readonly string[];
}

function ownersWay(path: string, callersFolders: readonly string[]): Result<Way> {
  const ahead = namesOf(path).reverse();
  let base = '/';
  let links = 0;
  const isCallers = () => callersFolders.some((folder) => isInside(base, folder));
  while (!isCallers()) {
    const name = ahead.pop();
    if (name === undefined) return Result.ok({ base, names: [] });
    const entry = join(base, name);
    const target = name === '..' ? undefined : linkOrFolder(entry);
    if (target === undefined) {
      base = entry;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return tooClever(path);
    if (isAbsolute(target)) base = '/';
    ahead.push(...namesOf(target).reverse());
  }
  return ahead.includes('..') ? tooClever(path) : Result.ok({ base, names: ahead.reverse() });
}

/** Where a link leads; undefined for a folder, which is created if it is missing. */
function linkOrFolder(entry: string): string | undefined {
  const status = lstatSync(entry, { throwIfNoEntry: false });
  if (status === undefined) mkdirSync(entry, { mode: OWN_FOLDER });
  return status?.isSymbolicLink() === true ? readlinkSync(entry) : undefined;
}

/**
 * Each as it is written and as it really is: one that is missing is made on the way. One inside another is not
 * asked about: a caller may have made it a link to anywhere.
 */
function realFolders(folders: readonly string[]): readonly string[] {
  const isInner = (folder: string) => folders.some((outer) => outer !== folder && isInside(folder, outer));
  return folders
    .filter((folder) => !isInner(folder))
    .flatMap((folder) => {
      try {
        return [realpathSync(folder), folder];
      } catch (error) {
        if (hasErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return [folder];
        throw error;
      }
    });
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function tooClever(path: string): Result<Way> {
  return Result.failure(
    `${path} leads through too many links to be the workspace of a caller.`,
    'NoWorkspace',
  );
}
