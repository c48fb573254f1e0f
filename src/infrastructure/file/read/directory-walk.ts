import { type Dirent, lstatSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import type {
  EntryFilter,
  EntryKind,
  EntryTimes,
  FileAccess,
  WalkEntry,
  WalkOptions,
} from '../../../application/ports/file/safe-file-system.js';
import { errnoOf } from '../../state/errno.js';
import { faultKindOf } from '../file-fault.js';
import { type Held, joinReal, joinRelative, type PathLocator } from '../locate/path-locator.js';
import { FolderListings } from './folder-listings.js';
import { readRules } from './rules-file.js';

const DEFAULT_BATCH = 1000;
/** How long the walk may block the event loop. */
const SLICE_MS = 12;
/** Open directories on the way down; those further up are reopened when the walk returns to them. */
const MAX_HELD = 64;

/** A cursor that points to nothing in a directory. */
const NOWHERE: readonly string[] = [];

interface Frame {
  /** undefined while closed to save descriptors. */
  held: Held | undefined;
  readonly name: string;
  readonly real: string;
  readonly prefix: string;
  readonly entries: readonly Dirent[];
  readonly filter: EntryFilter | undefined;
  readonly mayRead: (name: string) => boolean;
  /** The rest of the cursor below this directory. */
  readonly after: readonly string[];
  next: number;
  files: number;
  whole: boolean;
}

/** Its path is built on demand: most files of a search are only passed to another program. */
class FoundEntry implements WalkEntry {
  constructor(
    readonly folder: string,
    readonly name: string,
    readonly kind: EntryKind,
    readonly nameable: boolean,
    readonly times: EntryTimes | undefined,
  ) {}

  get path(): string {
    return joinRelative(this.folder, this.name);
  }
}

/**
 * Walks a tree depth first, holding each current directory; a subdirectory is opened by name in its parent.
 */
export class DirectoryWalk {
  readonly #frames: Frame[] = [];
  #batch: WalkEntry[] = [];
  #emitted = 0;
  readonly #size: number;
  readonly #maxDepth: number;

  constructor(
    private readonly locator: PathLocator,
    private readonly options: WalkOptions,
    private readonly access: FileAccess,
    private readonly listings = new FolderListings(),
  ) {
    this.#size = options.batch ?? DEFAULT_BATCH;
    this.#maxDepth = options.maxDepth ?? Number.POSITIVE_INFINITY;
  }

  /** Throws immediately for a directory that cannot be listed, like for any other path. */
  run(root: Held): AsyncGenerator<readonly WalkEntry[]> {
    const after = this.options.after === undefined ? NOWHERE : this.options.after.split('/');
    this.#push(root, '', root.real, '', after);
    return this.#batches();
  }

  async *#batches(): AsyncGenerator<readonly WalkEntry[]> {
    try {
      for (let started = performance.now(); this.#frames.length > 0; ) {
        this.#step(started + SLICE_MS);
        if (this.#batch.length >= this.#size || this.#frames.length === 0) {
          const batch = this.#batch;
          this.#batch = [];
          if (batch.length > 0) yield batch;
        }
        if (performance.now() - started > SLICE_MS) {
          this.access.progress?.(this.#emitted);
          await breathe();
          started = performance.now();
        }
        if (this.access.signal.aborted) return;
      }
    } finally {
      for (const frame of this.#frames) frame.held?.release();
    }
  }

  #step(until: number): void {
    while (this.#batch.length < this.#size) {
      const frame = this.#frames.at(-1);
      if (frame === undefined) return;
      const entry = frame.entries[frame.next];
      if (entry === undefined) this.#pop(frame);
      else {
        frame.next += 1;
        if (this.#visit(frame, entry) && performance.now() > until) return;
      }
    }
  }

  /** Returns true if a directory was entered, which is the costly case. */
  #visit(frame: Frame, entry: Dirent): boolean {
    const { name } = entry;
    const isDirectory = entry.isDirectory();
    const isWanted = this.options.select === undefined || this.options.select(name, frame.prefix);
    const isLeftOut =
      (!isWanted && !isDirectory) ||
      !frame.mayRead(name) ||
      (frame.filter !== undefined && !frame.filter(name, isDirectory));
    if (isLeftOut) {
      if (!isDirectory) frame.whole = false;
      return false;
    }
    // The cursor's own directories were returned on an earlier page; only what follows inside them is new.
    const onCursor = frame.after[0] === name;
    if (onCursor && !isDirectory) frame.whole = false;
    if (isWanted && !onCursor) this.#emit(frame, entry);
    if (!isDirectory || this.#frames.length >= this.#maxDepth) return false;
    this.#enter(frame, name, joinRelative(frame.prefix, name), onCursor ? frame.after.slice(1) : NOWHERE);
    return true;
  }

  #emit(frame: Frame, entry: Dirent): void {
    const nameable = !entry.name.includes('\uFFFD');
    const times = this.options.times === true && nameable ? this.#timesOf(frame, entry.name) : undefined;
    const kind = kindOfEntry(entry);
    if (kind === 'file') frame.files += 1;
    this.#emitted += 1;
    this.#batch.push(new FoundEntry(frame.prefix, entry.name, kind, nameable, times));
  }

  #timesOf(frame: Frame, name: string): EntryTimes | undefined {
    const stats = lstatSync(this.#heldOf(frame).entry(name), { throwIfNoEntry: false });
    return stats && { size: stats.size, modifiedMs: stats.mtimeMs };
  }

  #enter(frame: Frame, name: string, path: string, after: readonly string[]): void {
    try {
      const held = this.locator.descend(this.#heldOf(frame), name);
      if (this.access.isDeniedObject?.(held.stats)) held.release();
      else this.#push(held, name, joinReal(frame.real, name), path, after);
    } catch (error) {
      // Gone, replaced, or not accessible: an entry without content.
      if (faultKindOf(error) === undefined || errnoOf(error) === 'EMFILE') throw error;
    }
  }

  #push(held: Held, name: string, real: string, prefix: string, after: readonly string[]): void {
    try {
      const entries = this.listings.read(held);
      held.confirm();
      const rules = readRules(this.locator, held, entries, this.options.rulesFile, this.access);
      const filter = this.options.enter?.(prefix, rules);
      const next = after[0] === undefined ? 0 : firstNotBefore(entries, after[0]);
      const mayRead = this.#guardIn(real);
      const whole = next === 0;
      this.#frames.push({
        held,
        name,
        real,
        prefix,
        entries,
        filter,
        mayRead,
        after,
        next,
        files: 0,
        whole,
      });
    } catch (error) {
      held.release();
      throw error;
    }
    const spare = this.#frames.length - MAX_HELD;
    if (spare > 0) this.#close(this.#frames[spare]);
  }

  #guardIn(folder: string): (name: string) => boolean {
    const { guard } = this.access;
    return guard.mayReadIn?.(folder) ?? ((name) => guard.mayRead(joinReal(folder, name)));
  }

  #close(frame: Frame | undefined): void {
    frame?.held?.release();
    if (frame !== undefined) frame.held = undefined;
  }

  #pop(frame: Frame): void {
    this.#frames.pop();
    frame.held?.release();
    this.options.leave?.(frame.prefix, frame.files, frame.whole);
  }

  /** Reopens a directory from the nearest ancestor that is still open. */
  #heldOf(frame: Frame): Held {
    if (frame.held !== undefined) return frame.held;
    const index = this.#frames.indexOf(frame);
    const start = this.#frames.findLastIndex((other, at) => at < index && other.held !== undefined);
    let held = this.#frames[start]?.held;
    for (const step of this.#frames.slice(start + 1, index + 1)) {
      if (held === undefined) break;
      const next = this.locator.descend(held, step.name);
      if (held !== this.#frames[start]?.held) held.release();
      held = next;
    }
    if (held === undefined) throw new Error('The root of a walk is always held.');
    frame.held = held;
    return held;
  }
}

function firstNotBefore(entries: readonly Dirent[], name: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.name ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

function kindOfEntry(entry: Dirent): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'special';
}
