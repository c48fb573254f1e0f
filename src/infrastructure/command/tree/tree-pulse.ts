import { basename } from 'node:path';
import { DOOR_FOLDERS, DOOR_NAMES } from '../git/door-names.js';
import type { FolderNode } from './folder-node.js';
import type { TreeFindings } from './tree-findings.js';

/** A folder, and what changed in it; undefined: all of it is new. */
export type BeatListener = (folder: string, name: string | undefined) => void;

/** No two pictures ever have the same number, so that a number alone tells what it is about. */
let beats = 0;

/**
 * A number that stays the same as long as the kernel tells of nothing that views or git depend on: no folder came or
 * went, and nothing happened to what rules are about, inside git folders, or to names that git obeys. What a file holds
 * is vouched for only as far as it was written and not mapped into memory.
 */
export class TreePulse {
  readonly #listeners = new Set<BeatListener>();
  #beat = 0;
  #lookalikes: readonly string[] = [];
  #version = -1;

  constructor(private readonly findings: TreeFindings) {
    this.quicken();
  }

  get beat(): number {
    return this.#beat;
  }

  quicken(): void {
    beats += 1;
    this.#beat = beats;
  }

  follow(listener: BeatListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something happened to a name in a folder. */
  feel(node: FolderNode, name: string | undefined): void {
    if (!this.#matters(node, name)) return;
    this.quicken();
    for (const listener of this.#listeners) listener(node.path, name);
  }

  /** A folder was entered for the first time, or anew. */
  enter({ path }: FolderNode): void {
    this.quicken();
    for (const listener of this.#listeners) listener(path, undefined);
  }

  #matters({ path, surroundings, found }: FolderNode, name: string | undefined): boolean {
    if (name === undefined || surroundings.git || surroundings.fixed) return true;
    if (found.has(name) || DOOR_NAMES.has(name) || DOOR_FOLDERS.has(basename(path))) return true;
    return this.#repositories().some((folder) => path === folder || path.startsWith(`${folder}/`));
  }

  /** Repositories that are not called `.git`. */
  #repositories(): readonly string[] {
    if (this.#version !== this.findings.version) {
      this.#version = this.findings.version;
      this.#lookalikes = this.findings.paths('git').filter((path) => basename(path) !== '.git');
    }
    return this.#lookalikes;
  }
}
