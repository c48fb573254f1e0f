import type { Stats } from 'node:fs';
import { objectKey } from '../../file/object-key.js';

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
  readonly #news: PathChange[] = [];
  #firstNews = 0;
  #version = 0;

  get version(): number {
    return this.#version;
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

  paths(kind: MatchedPath['kind']): string[] {
    const paths: string[] = [];
    for (const [path, found] of this.#found) if (found.kind === kind) paths.push(path);
    return paths;
  }

  set(path: string, found: MatchedPath): void {
    const before = this.#found.get(path) ?? this.#dropped.get(path);
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
    this.#dropped.set(path, found);
  }

  /** What was dropped and has not come back is gone. */
  settle(): void {
    if (this.#dropped.size === 0) return;
    this.#dropped.clear();
    this.#version += 1;
  }
}
