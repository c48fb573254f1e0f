import type { Stats } from 'node:fs';
import { basename } from 'node:path';
import { objectKey } from '../../file/object-key.js';
import type { FolderNode } from './folder-node.js';

/** Something that a rule is about, as it was last seen. */
export interface MatchedPath {
  readonly kind: 'hide' | 'fixed' | 'git';
  /** Device and inode, in a form that a new file with an old number does not have. */
  readonly key: string;
  readonly isFile: boolean;
  readonly isLink: boolean;
  /** How many names it has. */
  readonly links: number;
  readonly bornMs: number;
  /** Hidden only because the server cannot look into it. */
  readonly closed: boolean;
}

/** A path that came, or stands for something else now. */
export interface PathChange {
  readonly path: string;
  readonly found: MatchedPath;
  readonly before: MatchedPath | undefined;
}

const MAX_NEWS = 10_000;

export function matchedAs(kind: MatchedPath['kind'], stats: Stats, closed = false): MatchedPath {
  return {
    kind,
    key: objectKey(stats),
    isFile: stats.isFile(),
    isLink: stats.isSymbolicLink(),
    links: stats.isFile() ? stats.nlink : 1,
    bornMs: stats.birthtimeMs,
    closed,
  };
}

/** Everything in a tree that rules are about, with a version that changes whenever it does. */
export class MatchedPaths {
  readonly #found = new Map<string, MatchedPath>();
  /** Forgotten while folders are read again; what comes back unchanged is no news. */
  readonly #dropped = new Map<string, MatchedPath>();
  readonly #paths = new Map<MatchedPath['kind'], readonly string[]>();
  #hiddenKeys: ReadonlyMap<string, string> | undefined;
  readonly #news: PathChange[] = [];
  #firstNews = 0;
  #version = 0;
  #changes = 0;

  get version(): number {
    return this.#version;
  }

  /** Counts every change, also of what is forgotten for a moment while folders are read again. */
  get changes(): number {
    return this.#changes;
  }

  /** The number of the next piece of news. */
  get nextNews(): number {
    return this.#firstNews + this.#news.length;
  }

  newsSince(number: number): readonly PathChange[] {
    return this.#news.slice(Math.max(0, number - this.#firstNews));
  }

  get(path: string): MatchedPath | undefined {
    return this.#found.get(path);
  }

  entries(): IterableIterator<[string, MatchedPath]> {
    return this.#found.entries();
  }

  /** Those that are being looked at again are among them: whoever asks meanwhile must not find one missing. */
  paths(kind: MatchedPath['kind']): readonly string[] {
    const known = this.#paths.get(kind);
    if (known !== undefined) return known;
    const paths: string[] = [];
    for (const [path, found] of this.#found) if (found.kind === kind) paths.push(path);
    for (const [path, found] of this.#dropped)
      if (found.kind === kind && !this.#found.has(path)) paths.push(path);
    this.#paths.set(kind, paths);
    return paths;
  }

  /** What is hidden, by its key. */
  hiddenKeys(): ReadonlyMap<string, string> {
    if (this.#hiddenKeys !== undefined) return this.#hiddenKeys;
    const keys = new Map<string, string>();
    for (const [path, { kind, key }] of this.#found) if (kind === 'hide') keys.set(key, path);
    this.#hiddenKeys = keys;
    return keys;
  }

  set(path: string, found: MatchedPath): void {
    const known = this.#found.get(path);
    const before = known ?? this.#dropped.get(path);
    if (known === undefined || !isSame(known, found)) this.#changed();
    this.#found.set(path, found);
    this.#dropped.delete(path);
    if (before?.key === found.key && before.kind === found.kind) return;
    this.#version += 1;
    this.#news.push({ path, found, before });
    if (this.#news.length > MAX_NEWS) this.#firstNews += this.#news.splice(0, MAX_NEWS / 2).length;
  }

  drop(path: string): void {
    const found = this.#found.get(path);
    if (found === undefined) return;
    this.#found.delete(path);
    this.#changed();
    this.#dropped.set(path, found);
  }

  /** What was dropped and has not come back is gone. */
  settle(): void {
    if (this.#dropped.size === 0) return;
    this.#dropped.clear();
    this.#changed();
    this.#version += 1;
  }

  #changed(): void {
    this.#changes += 1;
    this.#paths.clear();
    this.#hiddenKeys = undefined;
  }
}

function isSame(one: MatchedPath, other: MatchedPath): boolean {
  return (
    one.kind === other.kind &&
    one.key === other.key &&
    one.links === other.links &&
    one.closed === other.closed
  );
}

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
