import {
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statfsSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isProcess } from '../../state/process-identity.js';

/** `moved`: the name came, went or stands for something else now. `touched`: its content or mode changed. */
export type ChangeListener = (kind: 'moved' | 'touched', name: string | undefined) => void;

export interface FolderWatch {
  close(): void;
}

/** One folder more than this is compared by its change time instead: a watch takes a kilobyte of the kernel. */
const MAX_WATCHES = 20_000;
/** Kept for folders that must be watched. */
const RESERVED = 2_000;
/** The kernel has queued the sentinel's event before utimes returns, so one turn of the loop is the rule. */
const BARRIER_TURNS = 50;
const DEFAULT_QUEUE = 16_384;
const SENTINEL = 'sentinel';

/**
 * What the kernel noted about folders. libuv keeps one inotify descriptor for the event loop, so the events of all
 * folders come in order, and once an own event is back, everything before it has been delivered.
 */
export class ChangeTracker {
  readonly #suspicious = Math.floor(queueLength() / 4);
  #guard: FSWatcher | undefined;
  #folder: string | undefined;
  #passed = 0;
  #open = 0;
  #burst = 0;
  #losses = 0;
  #draining: Promise<void> | undefined;
  #waiting: Promise<void> | undefined;
  #works: boolean | undefined;

  /** `parent`: a folder of the server's own, for the file that is touched to see whether its event comes back. */
  constructor(private readonly parent: string) {}

  /** Grows whenever events may have been lost: what was known before has to be looked at again. */
  get losses(): number {
    return this.#losses;
  }

  /** undefined: the caller has to compare change times. The folder is watched once this returns. */
  watch(path: string, listener: ChangeListener, isVital = false): FolderWatch | undefined {
    const limit = isVital ? MAX_WATCHES + RESERVED : MAX_WATCHES;
    if (!this.#begin() || this.#open >= limit) return undefined;
    try {
      const watcher = watch(path, { persistent: false }, (kind, name) => {
        this.#count(1);
        listener(kind === 'rename' ? 'moved' : 'touched', name ?? undefined);
      });
      // Errors come for a folder that is gone, which its parent's watch tells as well.
      watcher.on('error', () => listener('moved', undefined));
      this.#open += 1;
      return { close: () => this.#close(watcher) };
    } catch {
      // No watches left, or nothing there any more.
      return undefined;
    }
  }

  /** Everything that the kernel noted before this call has been told to the listeners when it settles. */
  drain(): Promise<void> {
    if (this.#draining === undefined) {
      this.#draining = this.#barrier().finally(() => {
        this.#draining = undefined;
      });
      return this.#draining;
    }
    // The barrier under way may already have passed what this caller means.
    this.#waiting ??= this.#draining.then(() => {
      this.#waiting = undefined;
      return this.drain();
    });
    return this.#waiting;
  }

  close(): void {
    this.#release();
    this.#works = false;
  }

  #close(watcher: FSWatcher): void {
    watcher.close();
    this.#open -= 1;
    // The kernel queues a notice about each watch that ends.
    this.#count(1);
  }

  /**
   * libuv says nothing about a queue that overflowed. It could only do so with thousands of events in it, and all of
   * them are then delivered in one turn.
   */
  #count(events: number): void {
    if (this.#burst === 0) {
      setImmediate(() => {
        this.#burst = 0;
      }).unref();
    }
    this.#burst += events;
    if (this.#burst === this.#suspicious) this.#losses += 1;
  }

  async #barrier(): Promise<void> {
    if (!this.#begin()) return;
    const before = this.#passed;
    try {
      utimesSync(join(this.#folder ?? '', SENTINEL), 1, 1);
    } catch {
      // Somebody removed our state: nothing vouches for the past any more.
      this.#lose();
      return;
    }
    for (let turn = 0; turn < BARRIER_TURNS; turn += 1) {
      await nextTurn();
      if (this.#passed > before) return;
    }
    this.#lose();
  }

  /** The guard is made anew: it may be what stopped working. */
  #lose(): void {
    this.#losses += 1;
    this.#release();
    this.#works = undefined;
  }

  #release(): void {
    this.#guard?.close();
    this.#guard = undefined;
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  #begin(): boolean {
    this.#works ??= this.#prepare();
    return this.#works;
  }

  #prepare(): boolean {
    if (process.platform !== 'linux') return false;
    try {
      mkdirSync(this.parent, { recursive: true, mode: 0o700 });
      removeLeftOver(this.parent);
      this.#folder = mkdtempSync(join(this.parent, `${process.pid}-`));
      writeFileSync(join(this.#folder, SENTINEL), '');
      this.#guard = watch(this.#folder, { persistent: false }, (_, name) => {
        if (name === SENTINEL) this.#passed += 1;
      });
      this.#guard.on('error', () => this.#lose());
      return true;
    } catch {
      // No inotify instance is left, or no folder of our own: change times have to do.
      return false;
    }
  }
}

function queueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || DEFAULT_QUEUE;
  } catch {
    // Another platform, or a /proc that is closed.
    return DEFAULT_QUEUE;
  }
}

/** Of servers that were killed. */
function removeLeftOver(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = Number.parseInt(name, 10);
    if (Number.isInteger(owner) && !isProcess(owner))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
}

/** File systems whose every change passes through this kernel: ext, xfs, btrfs, tmpfs, overlay, zfs, f2fs, bcachefs, ramfs. */
const WATCHABLE = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x858458f6,
]);

/** Knows on which devices the kernel tells of all changes; on others, such as a network's, somebody else makes some. */
export class WatchableDevices {
  readonly #known = new Map<number, boolean>();

  has({ dev }: Pick<Stats, 'dev'>, path: string): boolean {
    const known = this.#known.get(dev);
    if (known !== undefined) return known;
    const isWatchable = typeIsKnown(path);
    this.#known.set(dev, isWatchable);
    return isWatchable;
  }
}

function typeIsKnown(path: string): boolean {
  try {
    return WATCHABLE.has(statfsSync(path).type);
  } catch {
    // Gone already. Comparing change times is always right.
    return false;
  }
}
