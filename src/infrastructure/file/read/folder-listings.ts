import { type Dirent, readdirSync, type Stats } from 'node:fs';
import type { Held } from '../locate/path-locator.js';

/** From this size on it is cheaper to keep a listing than to read it again. */
const LARGE = 10_000;
const KEPT_MS = 5000;
/**
 * File timestamps are coarse. Once a directory's mtime is at least this old, the next change is sure to alter
 * it.
 */
const SETTLED_MS = 100;

interface Listing {
  readonly version: string;
  readonly entries: readonly Dirent[];
}

/**
 * The entries of directories, by name. The last large listing is kept for a moment, because each of its pages
 * needs all of it; a changed directory is recognised by its times.
 */
export class FolderListings {
  #last: Listing | undefined;
  #timer: NodeJS.Timeout | undefined;

  read(folder: Held): readonly Dirent[] {
    if (this.#last !== undefined && this.#last.version === versionOf(folder.stats)) {
      this.#timer?.refresh();
      return this.#last.entries;
    }
    const before = Date.now();
    const entries = readdirSync(folder.handle, { withFileTypes: true }).sort(byName);
    if (entries.length >= LARGE && before - folder.stats.mtimeMs > SETTLED_MS) {
      this.#last = { version: versionOf(folder.stats), entries };
      this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref();
      this.#timer.refresh();
    }
    return entries;
  }

  #forget(): void {
    this.#last = undefined;
    this.#timer = undefined;
  }
}

function versionOf({ dev, ino, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino}:${mtimeMs}:${ctimeMs}`;
}

function byName(left: Dirent, right: Dirent): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
