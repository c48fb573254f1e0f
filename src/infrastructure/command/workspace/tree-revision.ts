import { basename } from 'node:path';
import type { FolderNode } from './folder-node.js';
import type { MatchedPaths } from './matched-paths.js';

/** A folder, and what changed in it; undefined: all of it is new. */
export type TreeChangeListener = (folder: string, name: string | undefined) => void;

/** Tells that something happened in a tree. */
export interface TreeChangeSource {
  /** The same number: nothing has, as of the last refresh. undefined: nobody knows. */
  readonly revision: number | undefined;
  onChange(listener: TreeChangeListener): () => void;
}

/** Whether a name counts in a folder although no rule matches it. */
export type CountsAnyway = (folder: string, name: string) => boolean;

/** No two trees ever have the same number, so that a number alone tells what it is about. */
let last = 0;

/**
 * A number that stays the same as long as the kernel tells of nothing that views or git depend on: no folder came or
 * went, and nothing happened to what rules are about, inside git folders, or to names that count anyway. What a file holds
 * is vouched for only as far as it was written and not mapped into memory.
 */
export class TreeRevision {
  readonly #listeners = new Set<TreeChangeListener>();
  #current = 0;
  #implicit: readonly string[] = [];
  #version = -1;

  constructor(
    private readonly matches: MatchedPaths,
    private readonly countsAnyway: CountsAnyway,
  ) {
    this.increment();
  }

  get current(): number {
    return this.#current;
  }

  increment(): void {
    last += 1;
    this.#current = last;
  }

  follow(listener: TreeChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something happened to a name in a folder. */
  recordChange(node: FolderNode, name: string | undefined): void {
    if (!this.#matters(node, name)) return;
    this.increment();
    for (const listener of this.#listeners) listener(node.path, name);
  }

  /** A folder was entered for the first time, or anew. */
  enter({ path }: FolderNode): void {
    this.increment();
    for (const listener of this.#listeners) listener(path, undefined);
  }

  #matters({ path, inherited, found }: FolderNode, name: string | undefined): boolean {
    if (name === undefined || inherited.git || inherited.fixed) return true;
    if (found.has(name) || this.countsAnyway(path, name)) return true;
    return this.#repositories().some((folder) => path === folder || path.startsWith(`${folder}/`));
  }

  /** Repositories that are not called `.git`. */
  #repositories(): readonly string[] {
    if (this.#version !== this.matches.version) {
      this.#version = this.matches.version;
      this.#implicit = this.matches.paths('git').filter((path) => basename(path) !== '.git');
    }
    return this.#implicit;
  }
}
