import { join } from 'node:path';
import type { OpenDoor } from './door-baseline.js';
import { entriesIn, look } from './git-files.js';
import type { GitPlace } from './git-place.js';

interface KnownFolder {
  readonly changed: number;
  readonly seen: number;
  readonly links: readonly string[];
  readonly folders: readonly string[];
}

/** The kernel stamps changes with a clock that lags behind a little. */
const CLOCK_LAG_MS = 50;
const MAX_FOLDERS = 5_000;
const WHY = 'is a link, through which git would read or write another file';
/** Objects by the first two digits of their names: git only ever adds to them, under names that say what is in them. */
const OBJECTS = /\/objects\/(?:[0-9a-f]{2}|pack)$/;

/**
 * Symbolic links in a git folder. git makes none there; through one, the user's own git would write its messages and
 * logs over whatever file it leads to. Folders that did not change since are not read again.
 */
export class GitLinks {
  readonly #known = new Map<string, KnownFolder>();
  readonly #before = new Set<string>();
  readonly #places = new Set<string>();

  /** What is there while nothing runs is not a command's. */
  remember(places: readonly GitPlace[]): void {
    for (const { folder, isLookalike } of places) {
      if (isLookalike || this.#places.has(folder)) continue;
      this.#places.add(folder);
      for (const link of this.#in(folder)) this.#before.add(link);
    }
  }

  /** Those that were not there. */
  fresh(places: readonly GitPlace[]): readonly OpenDoor[] {
    return places
      .filter(({ isLookalike }) => !isLookalike)
      .flatMap(({ folder }) => this.#in(folder).map((path) => ({ path, folder })))
      .filter(({ path }) => !this.#before.has(path) && look(path)?.isSymbolicLink())
      .map(({ path, folder }) => ({ path, taken: path, owner: folder, why: WHY, instead: undefined }));
  }

  #in(folder: string): readonly string[] {
    const links: string[] = [];
    const queue = [folder];
    for (let read = 0; read < MAX_FOLDERS; read += 1) {
      const next = queue.pop();
      if (next === undefined) break;
      const known = this.#look(next);
      links.push(...known.links);
      queue.push(...known.folders);
    }
    return links;
  }

  #look(folder: string): KnownFolder {
    const changed = look(folder)?.ctimeMs ?? 0;
    const known = this.#known.get(folder);
    if (known?.changed === changed && changed < known.seen - CLOCK_LAG_MS) return known;
    const seen = Date.now();
    const entries = entriesIn(folder);
    const paths = (kind: 'isSymbolicLink' | 'isDirectory'): readonly string[] =>
      entries.filter((entry) => entry[kind]()).map(({ name }) => join(folder, name));
    const fresh = {
      changed,
      seen,
      links: paths('isSymbolicLink'),
      folders: paths('isDirectory').filter((path) => !OBJECTS.test(path)),
    };
    this.#known.set(folder, fresh);
    return fresh;
  }
}
