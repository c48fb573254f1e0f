import { closeSync, constants, type Dirent, readSync } from 'node:fs';
import type { FileAccess } from '../../../application/ports/file/safe-file-system.js';
import { faultKindOf } from '../file-fault.js';
import { type Held, joinReal, type PathLocator } from '../locate/path-locator.js';

const MAX_RULES = 256 * 1024;

/** The text of a directory's rules file, such as .gitignore; undefined if it has no readable one. */
export function readRules(
  locator: PathLocator,
  folder: Held,
  entries: readonly Dirent[],
  name: string | undefined,
  access: FileAccess,
): string | undefined {
  if (name === undefined || !entries.some((entry) => entry.name === name && entry.isFile())) return undefined;
  if (!access.guard.mayRead(joinReal(folder.real, name))) return undefined;
  try {
    const file = locator.child(folder, name);
    if (file === undefined) return undefined;
    try {
      const descriptor = locator.openRegular(file, constants.O_RDONLY);
      const bytes = Buffer.alloc(Math.min(MAX_RULES, file.stats.size));
      try {
        return wholeLines(
          bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0)),
          file.stats.size,
        );
      } finally {
        closeSync(descriptor);
      }
    } finally {
      file.release();
    }
  } catch (error) {
    // Rules that are gone or unreadable exclude nothing.
    if (faultKindOf(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * The last line of a truncated file would be another rule: half of `*.log` is `*`, which excludes everything.
 */
function wholeLines(bytes: Buffer, size: number): string {
  return bytes.toString('utf8', 0, size > bytes.length ? bytes.lastIndexOf('\n') + 1 : bytes.length);
}
