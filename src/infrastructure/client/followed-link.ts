import { lstatSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Result } from '../../domain/result.js';
import { reasonOf } from '../state/errno.js';

/** The first link below a root on the way to a file, and the file that the whole path leads to. */
export interface FollowedLink {
  readonly at: string;
  readonly to: string;
}

/** Undefined if no part of the path below the root is a link. */
export function followedLink(root: string, path: string): Result<FollowedLink | undefined> {
  let at = root;
  for (const name of namesBelow(root, path)) {
    at = join(at, name);
    const status = lstatSync(at, { throwIfNoEntry: false });
    if (status === undefined) return Result.ok(undefined);
    if (status.isSymbolicLink()) return targetOf(at, path);
  }
  return Result.ok(undefined);
}

export function namesBelow(root: string, path: string): readonly string[] {
  return relative(root, path).split(sep).filter(Boolean);
}

function targetOf(at: string, path: string): Result<FollowedLink> {
  try {
    return Result.ok({ at, to: realpathSync(path) });
  } catch (error) {
    return Result.failure(
      `${at} is a symbolic link, and ${path} cannot be reached through it (${reasonOf(error)}). Remove the link, or create the file it leads to.`,
      'DanglingLink',
    );
  }
}
