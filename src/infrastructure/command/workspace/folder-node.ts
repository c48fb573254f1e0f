import type { Dirent, Stats } from 'node:fs';
import { objectKey } from '../../file/object-key.js';
import type { FolderWatch } from './change-tracker.js';
import { lookAt } from './read-entries.js';

/** Where a folder lies, as far as rules care. */
export interface InheritedFlags {
  /** Inside a folder that stays read-only as a whole. */
  readonly fixed: boolean;
  /** Inside a repository's own folder. */
  readonly git: boolean;
}

/** The kernel stamps changes with a clock that lags behind a little. */
export const CLOCK_LAG_MS = 20;

/** A folder that was read, and what is known to have changed in it since. */
export class FolderNode {
  readonly children = new Map<string, FolderNode>();
  /** Names of entries that matches are about. */
  readonly found = new Set<string>();
  watch: FolderWatch | undefined;
  /** A pair of times for folders without a watch; undefined: read it again in any case. */
  stamp: { readonly changedMs: number; readonly modifiedMs: number } | undefined;
  key = '';
  device = 0;
  entries = 0;
  /** Could not be read. */
  closed = false;
  /** Holds names that are no valid UTF-8. */
  opaque = false;
  /** Names to look at again; `all` when they became too many. */
  #names: Set<string> | 'all' | undefined;
  /** Folders that were renamed, removed or made: what is known of them may be somebody else's. */
  #moved: Set<string> | undefined;

  constructor(
    readonly path: string,
    readonly name: string,
    readonly parent: FolderNode | undefined,
    readonly inherited: InheritedFlags,
  ) {}

  /** True where nothing was marked before. */
  mark(name: string | undefined): boolean {
    const isFirst = this.#names === undefined && this.#moved === undefined;
    if (name !== undefined && this.children.has(name)) {
      this.#moved ??= new Set();
      this.#moved.add(name);
    } else if (name === undefined || (this.#names !== 'all' && (this.#names?.size ?? 0) >= MAX_NAMES)) {
      this.#names = 'all';
    } else if (this.#names !== 'all') {
      this.#names ??= new Set();
      this.#names.add(name);
    }
    return isFirst;
  }

  take(): { readonly names: ReadonlySet<string> | 'all'; readonly moved: ReadonlySet<string> } {
    const taken = { names: this.#names ?? NONE, moved: this.#moved ?? NONE };
    this.#names = undefined;
    this.#moved = undefined;
    return taken;
  }
}

const MAX_NAMES = 2_000;
const NONE: ReadonlySet<string> = new Set();

/** undefined while the next change could bear the same time. */
export function stampOf({ ctimeMs, mtimeMs }: Stats): FolderNode['stamp'] {
  return Date.now() - ctimeMs > CLOCK_LAG_MS ? { changedMs: ctimeMs, modifiedMs: mtimeMs } : undefined;
}

/** A name in a folder that is to be looked at. */
export interface Seed {
  readonly path: string;
  readonly name: string;
  /** undefined: a view begins here. */
  readonly parent: FolderNode | undefined;
  readonly inherited: InheritedFlags;
}

const OBJECTS = /\/objects\/[^/]+$/;

export function seedIn(node: FolderNode, name: string): Seed {
  return { path: joined(node.path, name), name, parent: node, inherited: node.inherited };
}

export function joined(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

/** Watched before others where watches are scarce: where git's doors are, and not its objects. */
export function isVital(path: string, isGit: boolean): boolean {
  return isGit && !OBJECTS.test(path);
}

/** The folder that was read is still the one of that name. */
export function isSame(child: FolderNode, entry: Dirent): boolean {
  const stats = entry.isDirectory() ? lookAt(child.path) : undefined;
  return stats !== undefined && objectKey(stats) === child.key;
}
