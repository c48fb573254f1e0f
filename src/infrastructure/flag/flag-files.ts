import { existsSync } from 'node:fs';
import type { FlagFiles } from './file-flag-store.js';

/** Whether anybody has set a flag here or for all projects. Two looks at the disk, at the start. */
export function flagsExist({ project, global }: FlagFiles): boolean {
  return existsSync(project) || existsSync(global);
}
