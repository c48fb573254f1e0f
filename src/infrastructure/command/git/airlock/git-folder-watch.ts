import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeTracker, FolderWatch } from '../../workspace/change-tracker.js';
import { isFolder } from '../git-files.js';

/** What holds objects or grows with every ref tells nothing that the rest does not. */
const UNWATCHED = new Set(['objects', 'logs', 'lfs', 'rr-cache']);
const MOST_FOLDERS = 4_000;

/** Tells when something has happened in a git folder, at no cost as long as nothing has. */
export class GitFolderWatch {
  readonly #watches = new Map<string, FolderWatch>();
  #isComplete = true;
  #hasChanged = true;
  #losses: number;

  constructor(
    private readonly tracker: ChangeTracker,
    root: string,
    private readonly onChange: () => void,
  ) {
    this.#losses = tracker.losses;
    this.#enter(root);
  }

  /** Something may have changed since the last call of `clear`. */
  get hasChanged(): boolean {
    return this.#hasChanged || !this.#isComplete || this.tracker.losses !== this.#losses;
  }

  /** To be called before a look at the folder. */
  clear(): void {
    this.#hasChanged = false;
    this.#losses = this.tracker.losses;
  }

  close(): void {
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
  }

  #enter(folder: string): void {
    if (this.#watches.size >= MOST_FOLDERS) this.#isComplete = false;
    if (this.#watches.has(folder) || !this.#isComplete) return;
    const watch = this.tracker.watch(folder, (kind, name) => this.#tell(folder, kind, name), true);
    // One that is gone by now was told of as well.
    if (watch === undefined) this.#isComplete = !isFolder(folder);
    else this.#watches.set(folder, watch);
    for (const entry of entriesIn(folder))
      if (entry.isDirectory()) this.#enterNew(join(folder, entry.name), entry.name);
  }

  #enterNew(folder: string, name: string): void {
    if (!UNWATCHED.has(name)) this.#enter(folder);
  }

  #tell(folder: string, kind: 'moved' | 'touched', name: string | undefined): void {
    this.#hasChanged = true;
    if (kind === 'moved') {
      const moved = name === undefined ? folder : join(folder, name);
      this.#leave(moved);
      if (isFolder(moved)) this.#enterNew(moved, name ?? '');
    }
    this.onChange();
  }

  /** A folder that comes again under its name is another one. */
  #leave(folder: string): void {
    for (const [path, watch] of this.#watches) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watch.close();
      this.#watches.delete(path);
    }
  }
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone, or no folder.
    return [];
  }
}
