import { readdirSync } from 'node:fs';
import { hasErrno } from './errno.js';

/**
 * What a folder of the state holds. One that is not there, or that is closed to this user, holds nothing of ours; why
 * it cannot be used is told when something is to be kept in it.
 */
export function namesLeftIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
