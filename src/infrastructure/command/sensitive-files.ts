import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { looksLikeRepository } from './git/git-pointers.js';

/** What is said about a path before a command sees it. */
export interface SensitiveRules {
  /** Seen by nobody. */
  readonly isHidden: (path: string) => boolean;
  /** Seen, and changed by nobody. */
  readonly isFixed: (path: string) => boolean;
  /** The server's own: hidden as a folder, shown as a file that git may have. */
  readonly isServerFile: (path: string) => boolean;
}

export interface SensitiveFiles {
  readonly hide: readonly string[];
  readonly fixed: readonly string[];
  /** `.git` entries, folders and files, and folders that git would take for a repository. */
  readonly git: readonly string[];
  /** Those that were entered, but for packages. */
  readonly folders: readonly string[];
  /** The tree was larger than what is looked at. */
  readonly incomplete: boolean;
}

const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 64;
const AT_ONCE = 32;
const PACKAGES = '/node_modules';
/** Parts of the system that no view shows anything secret of. */
const NOT_ENTERED = new Set(['/proc', '/sys', '/dev', '/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix']);

/** Finds what must be masked or kept from changing below some folders. Links are not followed. */
export async function findSensitiveFiles(
  roots: readonly string[],
  rules: SensitiveRules,
): Promise<SensitiveFiles> {
  const walk = new SensitiveWalk(rules);
  let folders: readonly string[] = roots.filter((root) => !walk.judge(root));
  for (let depth = 0; depth < MAX_DEPTH && folders.length > 0; depth += 1)
    folders = await walk.level(folders);
  const { hide, fixed, git, entered, isFull } = walk;
  return { hide, fixed, git, folders: entered, incomplete: isFull || folders.length > 0 };
}

class SensitiveWalk {
  readonly hide: string[] = [];
  readonly fixed: string[] = [];
  readonly git: string[] = [];
  readonly entered: string[] = [];
  #entries = 0;

  constructor(private readonly rules: SensitiveRules) {}

  get isFull(): boolean {
    return this.#entries > MAX_ENTRIES;
  }

  async level(folders: readonly string[]): Promise<readonly string[]> {
    const below: string[] = [];
    for (let start = 0; start < folders.length && !this.isFull; start += AT_ONCE) {
      const batch = folders.slice(start, start + AT_ONCE);
      const lists = await Promise.all(batch.map(entriesOf));
      for (const [index, folder] of batch.entries()) below.push(...this.#take(folder, lists[index] ?? []));
    }
    return below;
  }

  /** True: decided, and there is nothing to look for below. */
  judge(path: string, entry?: Dirent): boolean {
    if (this.rules.isServerFile(path)) {
      (entry === undefined || entry.isFile() ? this.fixed : this.hide).push(path);
      return true;
    }
    if (this.rules.isHidden(path) || entry?.isSocket()) {
      this.hide.push(path);
      return true;
    }
    if (entry?.name === '.git') {
      this.git.push(path);
      return true;
    }
    if (!this.rules.isFixed(path)) return false;
    this.fixed.push(path);
    // What lies below cannot be changed, but it may be secret.
    return false;
  }

  #take(folder: string, entries: readonly Dirent[]): readonly string[] {
    this.#entries += entries.length;
    const below: string[] = [];
    if (!folder.includes(PACKAGES)) this.entered.push(folder);
    if (isLikeRepository(entries)) this.git.push(folder);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (!this.judge(path, entry) && entry.isDirectory() && !NOT_ENTERED.has(path)) below.push(path);
    }
    return below;
  }
}

/** Nearly every folder is without a HEAD: the others are looked at more closely. */
export function isLikeRepository(entries: readonly Dirent[]): boolean {
  return (
    entries.some(({ name }) => name === 'HEAD') &&
    looksLikeRepository(new Set(entries.map(({ name }) => name)))
  );
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    // Gone meanwhile, or closed to the server and so to what it starts.
    return [];
  }
}
