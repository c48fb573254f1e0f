import { isOwnFile } from '../../file/own-files.js';
import { errnoOf } from '../../state/errno.js';
import type { Quarantine } from '../feedback/quarantine.js';
import type { PathChange } from './matched-paths.js';
import type { WatchedTree } from './watched-tree.js';

/** The names under which the server looks for its own files: whatever turns up there while commands run is taken away. */
export class ReservedPaths {
  readonly #known = new Set<string>();
  readonly #accepted = new WeakMap<object, number>();
  #running = 0;

  constructor(
    private readonly isServerOwned: (path: string) => boolean,
    private readonly quarantine: Quarantine,
  ) {}

  /** A command has begun. Answers what to call when nothing of it is left. */
  begin(): () => void {
    this.#running += 1;
    return () => {
      this.#running -= 1;
    };
  }

  /** What is there before a command runs is the user's; while one does, it may be that command's. */
  accept({ matches }: WatchedTree): void {
    if (this.#running > 0 || this.#accepted.get(matches) === matches.version) return;
    this.#accepted.set(matches, matches.version);
    for (const [path] of matches.entries()) if (this.isServerOwned(path)) this.#known.add(path);
  }

  clear(news: readonly PathChange[]): void {
    for (const { path } of news) {
      if (!this.#known.has(path) && this.isServerOwned(path) && !isOwnFile(path)) this.#take(path);
    }
  }

  #take(path: string): void {
    try {
      this.quarantine.take(path);
    } catch (error) {
      // It cannot be moved, which the answer tells as something that appeared.
      if (errnoOf(error) === undefined) throw error;
    }
  }
}
