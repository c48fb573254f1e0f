import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The folder behind a path, by its real path. */
export function folderAt(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Missing or closed to us: no folder for a command either.
    return undefined;
  }
}

export function isRepository(path: string): boolean {
  return basename(path) === '.git' || existsSync(join(path, 'HEAD'));
}

// Repositories have finer rules, so that commits work.
export function isNoGit(path: string): boolean {
  return !path.endsWith('/.git');
}
