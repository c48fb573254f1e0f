import { existsSync } from 'node:fs';
import type { FlagFiles } from './file-flag-store.js';

/** Returns true if a flag is set here or for all projects. Checks two files at the start. */
export function flagsExist({ project, global }: FlagFiles): boolean {
  return existsSync(project) || existsSync(global);
}
