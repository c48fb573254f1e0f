import { relative, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { isHiddenName, MAX_DEPTH } from '../../domain/knowledge/category.js';

export interface FolderEvents {
  /** Something about a file changed; its path relative to the folder, with slashes. */
  changed(path: string): void;
  /** Events come from now on; what happened before may have been missed. */
  ready(): void;
  failed(error: unknown): void;
}

/** An editor writes in several steps; they are taken together. */
const QUIET_MS = 50;

/** Tells of changes below one folder, also of one that is made later. */
export class FolderWatch {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #watcher: FSWatcher | undefined;
  #closed = false;

  constructor(
    private readonly root: string,
    private readonly events: FolderEvents,
  ) {}

  async start(): Promise<void> {
    const { watch } = await import('chokidar');
    if (this.#closed) return;
    const watcher = watch(this.root, {
      ignoreInitial: true,
      followSymlinks: false,
      depth: MAX_DEPTH - 1,
      ignored: (path) => this.#isHidden(path),
      ignorePermissionErrors: true,
      // The server's life is decided by its connections, not by what it watches.
      persistent: true,
    });
    this.#watcher = watcher;
    watcher.on('all', (_event, path) => this.#noticed(path));
    watcher.on('error', (error) => this.events.failed(error));
    watcher.on('ready', () => this.events.ready());
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#watcher?.close();
  }

  #isHidden(path: string): boolean {
    const inside = relative(this.root, path);
    return inside !== '' && !inside.startsWith('..') && inside.split(sep).some(isHiddenName);
  }

  #noticed(path: string): void {
    const inside = relative(this.root, path).replaceAll(sep, '/');
    if (inside === '' || inside.startsWith('..') || this.#timers.has(inside)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(inside);
      this.events.changed(inside);
    }, QUIET_MS);
    timer.unref();
    this.#timers.set(inside, timer);
  }
}
