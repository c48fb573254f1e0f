import type { Stats } from 'node:fs';

/**
 * Names what lies behind a path, whatever its path. Numbers of inodes are given again soon after a file is removed;
 * the moment of its birth tells the next one apart, where the file system keeps it.
 */
export function objectKey({ dev, ino, birthtimeMs }: Pick<Stats, 'dev' | 'ino' | 'birthtimeMs'>): string {
  return birthtimeMs > 0 ? `${ino}:${birthtimeMs}` : `${dev}:${ino}`;
}
