import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { errnoOf } from '../state/errno.js';

/**
 * True if `castellan` in a shell is this very program, so that a file which others use as well can name it without a
 * path of this machine.
 */
export function isOnPath(script: string | undefined, path: string | undefined): boolean {
  const own = script === undefined ? undefined : realPath(script);
  if (own === undefined) return false;
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  const first = folders
    .map((folder) => realPath(join(folder, 'castellan')))
    .find((found) => found !== undefined);
  return first === own;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
