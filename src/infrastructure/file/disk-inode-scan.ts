import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { InodeScan, ScannedInodes } from '../../application/ports/file/inode-scan.js';
import { faultKindOf } from './file-fault.js';

const MAX_ENTRIES = 1_000_000;
/** A path outside the workspace is a secret or a small directory; scanning more would take too long. */
const MAX_PLACE_ENTRIES = 20_000;
const SLICE_MS = 12;

/**
 * Installed packages are scanned last: their files have other names in the package manager's store by design.
 */
const PACKAGES = 'node_modules';

/** Walks by plain names: the result decides only what is refused, and nothing of it is shown. */
export class DiskInodeScan implements InodeScan {
  constructor(private readonly home: string) {}

  async find(
    root: string,
    places: readonly string[],
    isHidden: (path: string) => boolean,
  ): Promise<ScannedInodes> {
    const scan = new Scan(isHidden);
    const complete = await scan.below(root, MAX_ENTRIES);
    for (const place of places) {
      const path = resolve(this.home, place);
      scan.look(path);
      await scan.below(path, MAX_PLACE_ENTRIES);
    }
    return { names: scan.names, complete };
  }
}

class Scan {
  readonly names = new Map<string, string[]>();

  constructor(private readonly isHidden: (path: string) => boolean) {}

  /** Returns false if something other than packages was not scanned. */
  async below(root: string, bound: number): Promise<boolean> {
    const folders = [root];
    const packages: string[] = [];
    let seen = 0;
    for (let started = performance.now(); ; ) {
      const own = folders.pop();
      const folder = own ?? packages.pop();
      if (folder === undefined) return true;
      for (const entry of entriesOf(folder)) {
        seen += 1;
        const path = join(folder, entry.name);
        if (!entry.isDirectory()) this.look(path);
        else if (entry.name === PACKAGES) packages.push(path);
        else (own === undefined ? packages : folders).push(path);
      }
      if (seen > bound) return folders.length === 0;
      if (performance.now() - started > SLICE_MS) {
        await breathe();
        started = performance.now();
      }
    }
  }

  /** Only hidden files need a look at their inode. */
  look(path: string): void {
    if (!this.isHidden(path)) return;
    const stats = statsOf(path);
    if (stats === undefined || !stats.isFile() || stats.nlink < 2) return;
    const key = `${stats.dev}:${stats.ino}`;
    const names = this.names.get(key);
    if (names === undefined) this.names.set(key, [path]);
    else names.push(path);
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (faultKindOf(error) === undefined) throw error;
    return undefined;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Not a directory, gone, or not readable by the server: then no tool reads it either.
    if (faultKindOf(error) === undefined) throw error;
    return [];
  }
}
