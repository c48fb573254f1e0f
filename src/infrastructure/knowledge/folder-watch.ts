import { existsSync, type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { isHiddenName } from '../../domain/knowledge/document/category.js';

export interface FolderEvents {
  /** An entry changed; its path is relative to the directory, with slashes. */
  changed(path: string): void;
  /** Anything may have changed. */
  unclear(): void;
  failed(error: unknown): void;
}

/** An editor writes in several steps, which are reported together. */
const QUIET_MS = 50;
const ANYTHING = '';

/**
 * Reports changes below one directory, including one that is created later. One watch per directory: a watch
 * per file would exhaust the system's limit at some thousand documents.
 */
export class FolderWatch {
  readonly #watches = new Map<string, FSWatcher>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #parent: FSWatcher | undefined;
  #closed = false;

  constructor(
    private readonly root: string,
    private readonly events: FolderEvents,
  ) {}

  /**
   * Watches the directory and these below it, and no others. Returns true if some were not watched before:
   * changes in them since they were read are unknown.
   */
  follow(folders: ReadonlySet<string>): boolean {
    if (this.#closed) return false;
    const wanted = existsSync(this.root) ? new Set([ANYTHING, ...folders]) : new Set<string>();
    for (const [folder, watcher] of this.#watches) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watches.delete(folder);
    }
    const fresh = [...wanted].filter((folder) => !this.#watches.has(folder));
    for (const folder of fresh) this.#watch(folder);
    this.#watchParent(wanted.size === 0);
    return fresh.length > 0;
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const watcher of this.#watches.values()) watcher.close();
    this.#watches.clear();
    this.#parent?.close();
  }

  #watch(folder: string): void {
    const prefix = folder === '' ? '' : `${folder}/`;
    const watcher = this.#open(join(this.root, folder), (name) => {
      if (name === undefined) this.#noticed(ANYTHING);
      else if (!isHiddenName(name)) this.#noticed(prefix + name);
    });
    if (watcher === undefined) return;
    this.#watches.set(folder, watcher);
    watcher.on('error', () => {
      watcher.close();
      if (this.#watches.get(folder) === watcher) this.#watches.delete(folder);
      this.#noticed(ANYTHING);
    });
  }

  /** The directory appears or disappears in its nearest existing ancestor. */
  #watchParent(missing: boolean): void {
    this.#parent?.close();
    let above = dirname(this.root);
    while (missing && !existsSync(above) && dirname(above) !== above) above = dirname(above);
    this.#parent = this.#open(above, () => {
      if (existsSync(this.root) !== this.#watches.has(ANYTHING) || missing) this.#noticed(ANYTHING);
    });
    this.#parent?.on('error', () => this.#noticed(ANYTHING));
  }

  #open(path: string, heard: (name: string | undefined) => void): FSWatcher | undefined {
    try {
      return watch(path, { persistent: false }, (_event, name) => heard(name ?? undefined));
    } catch (error) {
      // A directory that disappeared is reported anyway; any other error is a limit of the system.
      if (existsSync(path)) this.events.failed(error);
      return undefined;
    }
  }

  #noticed(path: string): void {
    if (this.#closed || this.#timers.has(path)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(path);
      if (path === ANYTHING) this.events.unclear();
      else this.events.changed(path);
    }, QUIET_MS);
    timer.unref();
    this.#timers.set(path, timer);
  }
}
