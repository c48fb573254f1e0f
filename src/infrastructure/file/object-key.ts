import type { Stats } from 'node:fs';

/**
 * Identifies an object whatever its path. Inode numbers are reused soon after a file is removed; the birth
 * time tells the next one apart, if the file system stores it.
 */
export function objectKey({ dev, ino, birthtimeMs }: Pick<Stats, 'dev' | 'ino' | 'birthtimeMs'>): string {
  return birthtimeMs > 0 ? `${ino}:${birthtimeMs}` : `${dev}:${ino}`;
}
