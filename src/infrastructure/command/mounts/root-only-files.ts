import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface RootOnly {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;
/** Those of the processes are of the sandbox; /proc/sys decides by user alone, whatever a capability says. */
const NOT_LOOKED_AT = /^(\d+|self|thread-self|sys)$/;
const MAX_DEPTH = 4;
/** The kernel asks for capabilities of the host when these are opened, which no command has: no cover is needed. */
const GUARDED = ['/proc/kmsg', '/proc/kcore'];

/** What /proc holds outside the processes' folders for root alone, on this kernel. */
export function findRootOnly(): RootOnly {
  const files: string[] = [];
  const folders: string[] = [];
  const visit = (folder: string, depth: number): void => {
    for (const name of namesIn(folder)) {
      if (depth === 0 && NOT_LOOKED_AT.test(name)) continue;
      const path = join(folder, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined || found.isSymbolicLink()) continue;
      if (!found.isDirectory()) {
        if ((found.mode & OTHERS_READ) === 0) files.push(path);
      } else if ((found.mode & (OTHERS_READ | OTHERS_ENTER)) !== (OTHERS_READ | OTHERS_ENTER)) {
        folders.push(path);
      } else if (depth < MAX_DEPTH) {
        visit(path, depth + 1);
      }
    }
  };
  visit('/proc', 0);
  return { files: files.filter((path) => !GUARDED.includes(path)), folders };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Closed to us as well.
    return [];
  }
}
