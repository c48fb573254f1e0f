import { type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isLikeRepository, type SensitiveFiles, type SensitiveRules } from './sensitive-files.js';

/** The kernel stamps changes with a clock that lags behind a little. */
const CLOCK_LAG_MS = 50;
const FOLDERS_A_TURN = 500;
const MAX_FOLDERS = 20_000;
const MAX_NEW_ENTRIES = 50_000;

/**
 * Notices protected files and repositories that commands bring into being or exchange: where nothing is, nothing
 * can be mounted. A folder whose entries changed has a newer change time, which no program can set, so that only
 * those are read again.
 */
export class ProtectedWatch {
  readonly #folders: Set<string>;
  /** What was there, and where it led if it was a link. */
  readonly #known: Map<string, string | undefined>;

  constructor(
    found: Pick<SensitiveFiles, 'folders' | 'fixed' | 'git'>,
    private readonly rules: SensitiveRules,
  ) {
    this.#folders = new Set(found.folders.slice(0, MAX_FOLDERS));
    this.#known = new Map([...found.fixed, ...found.git].map((path) => [path, targetOf(path)]));
  }

  /** `moment` as Date.now() gives it; what is told once is not told again. */
  async appearedSince(moment: number, isWritable: (folder: string) => boolean): Promise<readonly string[]> {
    const appeared: string[] = [];
    let looked = 0;
    for (const folder of [...this.#folders]) {
      looked += 1;
      if (looked % FOLDERS_A_TURN === 0) await nextTurn();
      if (isWritable(folder) && changedAt(folder) >= moment - CLOCK_LAG_MS)
        appeared.push(...this.#readAgain(folder));
    }
    return appeared;
  }

  #readAgain(changed: string): readonly string[] {
    const appeared: string[] = [];
    const queue = [changed];
    let entries = 0;
    for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
      const listed = entriesIn(folder);
      if (isLikeRepository(listed) && !this.#known.has(folder)) {
        this.#known.set(folder, undefined);
        appeared.push(folder);
      }
      for (const entry of listed) {
        entries += 1;
        const path = join(folder, entry.name);
        if (this.#isNews(path, entry)) appeared.push(path);
        else if (isWalked(entry) && !this.#folders.has(path) && entries < MAX_NEW_ENTRIES) queue.push(path);
      }
      if (this.#folders.size < MAX_FOLDERS) this.#folders.add(folder);
    }
    return appeared;
  }

  #isNews(path: string, entry: Dirent): boolean {
    const { isFixed, isServerFile } = this.rules;
    if (entry.name !== '.git' && !isFixed(path) && !isServerFile(path)) return false;
    const target = entry.isSymbolicLink() ? targetOf(path) : undefined;
    if (this.#known.has(path) && this.#known.get(path) === target) return false;
    this.#known.set(path, target);
    return true;
  }
}

/** Packages bring folders such as .vscode by the hundred, which nobody opens there. */
export function isWalked(entry: Pick<Dirent, 'name' | 'isDirectory'>): boolean {
  return entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git';
}

function changedAt(folder: string): number {
  try {
    return lstatSync(folder, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  } catch {
    // Not to be reached any more; nothing new can be seen in it.
    return 0;
  }
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone, or closed to the server.
    return [];
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No link.
    return undefined;
  }
}
