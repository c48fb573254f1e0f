import type { Dirent, Stats } from 'node:fs';
import { KERNEL_FOLDERS, SYSTEM_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import { objectKey } from '../../file/object-key.js';
import { errnoOf } from '../../state/errno.js';
import { type ChangeListener, type ChangeTracker, WatchableDevices } from './change-tracker.js';
import type { DeniedObjectStore } from './denied-object-store.js';
import { EntryClassifier } from './entry-classifier.js';
import { FolderNode, isSame, isVital, joined, type Seed, seedIn, stampOf } from './folder-node.js';
import { noteImplicitRepository, REPOSITORY_PARTS } from './implicit-repositories.js';
import { type MatchedPath, type MatchedPaths, matchedAs } from './matched-paths.js';
import { lookAt, readEntries, Slices } from './read-entries.js';
import type { SensitiveRules } from './sensitive-rules.js';

/** Why a tree could not be looked through to its end. */
export interface TreeProblem {
  readonly kind: 'entries' | 'path' | 'unreadable' | 'moving' | 'name';
  readonly folder: string;
}

export interface ScanParts {
  readonly rules: SensitiveRules;
  readonly tracker: ChangeTracker;
  readonly matches: MatchedPaths;
  readonly places: DeniedObjectStore;
  readonly maxEntries: number;
  /** Told of every change in a folder that was read. */
  readonly onChange: (node: FolderNode, ...change: Parameters<ChangeListener>) => void;
  /** Told when a folder was read for the first time, and when one is forgotten. */
  readonly onEnter: (node: FolderNode) => void;
  readonly onDrop: (node: FolderNode) => void;
}

/** Parts of the system that no view shows anything secret of. */
const NOT_ENTERED = new Set([...KERNEL_FOLDERS, ...SYSTEM_FOLDERS]);
/** The kernel queues a notice for each watch that ends, and its queue is bounded. */
const CLOSED_A_TURN = 500;

/** Reads folders and judges what is in them. What it knows is right as of the events that were told meanwhile. */
export class FolderScan {
  readonly nodes = new Map<string, FolderNode>();
  readonly unwatched = new Set<FolderNode>();
  readonly opaque = new Set<FolderNode>();
  readonly judge: EntryClassifier;
  problem: TreeProblem | undefined;
  readonly #devices = new WatchableDevices();
  #entries = 0;

  constructor(private readonly parts: ScanParts) {
    this.judge = new EntryClassifier(parts.rules, parts.places);
  }

  /** A folder that a view begins at. */
  async root(path: string): Promise<void> {
    const seed = this.#judge({
      path,
      name: '',
      parent: undefined,
      inherited: { fixed: false, git: false },
    });
    if (seed !== undefined) await this.#scan(seed);
  }

  /** What has a name in a folder now, and everything below it. */
  async look(node: FolderNode, name: string): Promise<void> {
    if (name.includes('\uFFFD')) this.opaque.add(node);
    try {
      const seed = this.#judge(seedIn(node, name));
      if (REPOSITORY_PARTS.has(name)) this.#noteRepository(node);
      if (seed !== undefined) await this.#scan(seed);
    } catch (error) {
      this.#failed(node, error);
    }
  }

  /** The entries of a folder again; folders in it that are still the same are left alone. */
  async reread(node: FolderNode): Promise<void> {
    const stats = lookAt(node.path);
    if (stats === undefined || objectKey(stats) !== node.key) return;
    const present = new Set<string>();
    const known = [...node.found];
    const seeds: Seed[] = [];
    const gone: FolderNode[] = [];
    const concerns = this.parts.rules.concerns(node.path);
    this.#entries -= node.entries;
    node.stamp = stampOf(stats);
    node.closed = false;
    await this.#read(node, stats, (entry) => {
      const child = node.children.get(entry.name);
      if (child !== undefined || node.found.has(entry.name)) present.add(entry.name);
      if (child !== undefined && isSame(child, entry)) return;
      if (child !== undefined) gone.push(child);
      const seed = this.#entry(node, entry, concerns);
      if (seed !== undefined) seeds.push(seed);
    });
    for (const [name, child] of node.children) if (!present.has(name)) gone.push(child);
    for (const name of known) if (!present.has(name)) this.#forget(node, name);
    for (const child of gone) await this.drop(child);
    for (const seed of seeds) await this.#scan(seed);
  }

  /** Forgets a folder and everything below it. */
  async drop(top: FolderNode): Promise<void> {
    if (top.parent?.children.get(top.name) === top) top.parent.children.delete(top.name);
    const slices = new Slices();
    const stack = [top];
    let closed = 0;
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      for (const child of node.children.values()) stack.push(child);
      for (const name of [...node.found]) this.#forget(node, name);
      node.watch?.close();
      this.parts.onDrop(node);
      this.#entries -= node.entries;
      this.unwatched.delete(node);
      this.opaque.delete(node);
      if (this.nodes.get(node.path) === node) this.nodes.delete(node.path);
      closed += 1;
      if (closed % CLOSED_A_TURN === 0) await slices.pause();
    }
  }

  async #scan(start: Seed): Promise<void> {
    const slices = new Slices();
    const stack = [start];
    for (let seed = stack.pop(); seed !== undefined; seed = stack.pop()) {
      await this.#enter(seed, stack, slices);
      if (this.problem !== undefined) return;
      if (slices.isOver) await slices.pause();
    }
  }

  async #enter(seed: Seed, stack: Seed[], slices: Slices): Promise<void> {
    const { path, name, parent, inherited } = seed;
    const node = new FolderNode(path, name, parent, inherited);
    let stats: Stats | undefined;
    try {
      stats = lookAt(path);
    } catch (error) {
      this.#failed(node, error);
    }
    if (!stats?.isDirectory()) return;
    node.key = objectKey(stats);
    if (this.judge.isMoved(node.key, path)) {
      this.#keep(seed, matchedAs('hide', stats));
      return;
    }
    node.stamp = stampOf(stats);
    this.nodes.set(path, node);
    parent?.children.set(name, node);
    // Watched before it is read: what comes in between is told.
    node.watch = this.#devices.has(stats, path)
      ? this.parts.tracker.watch(
          path,
          (kind, changed) => this.parts.onChange(node, kind, changed),
          isVital(path, inherited.git),
        )
      : undefined;
    if (node.watch === undefined) this.unwatched.add(node);
    const concerns = this.parts.rules.concerns(path);
    await this.#read(
      node,
      stats,
      (entry) => {
        const below = this.#entry(node, entry, concerns);
        if (below !== undefined) stack.push(below);
      },
      slices,
    );
    this.parts.onEnter(node);
  }

  async #read(
    node: FolderNode,
    stats: Stats,
    take: (entry: Dirent) => void,
    slices = new Slices(),
  ): Promise<void> {
    let hasHead = false;
    try {
      node.entries = await readEntries(node.path, stats.size, slices, (entry) => {
        hasHead ||= entry.name === 'HEAD';
        take(entry);
      });
      if (hasHead) this.#noteRepository(node);
    } catch (error) {
      node.entries = 0;
      this.#failed(node, error, stats);
    }
    this.#entries += node.entries;
    if (this.#entries > this.parts.maxEntries) this.problem = { kind: 'entries', folder: node.path };
  }

  /** A folder to go on with, if the entry is one. */
  #entry(node: FolderNode, entry: Dirent, concerns: (name: string) => boolean): Seed | undefined {
    const { name } = entry;
    if (name.includes('\uFFFD')) this.opaque.add(node);
    const isFolder = entry.isDirectory();
    const isPlain =
      !concerns(name) &&
      !entry.isSocket() &&
      (node.inherited.git || name !== '.git') &&
      (isFolder || this.judge.wanted.size === 0);
    const seed = seedIn(node, name);
    if (!isPlain) return this.#judge(seed);
    return isFolder && !NOT_ENTERED.has(seed.path) ? seed : undefined;
  }

  #judge(seed: Seed): Seed | undefined {
    const { path, name, parent, inherited } = seed;
    const stats = lookAt(path);
    const kind = stats && this.judge.kindOf(seed, stats);
    if (stats === undefined || kind === undefined) {
      if (parent !== undefined) this.#forget(parent, name);
    } else this.#keep(seed, matchedAs(kind, stats));
    if (!stats?.isDirectory() || kind === 'hide' || NOT_ENTERED.has(path)) return undefined;
    const isGit = inherited.git || kind === 'git' || (parent === undefined && path.endsWith('/.git'));
    return { ...seed, inherited: { fixed: inherited.fixed || kind === 'fixed', git: isGit } };
  }

  #noteRepository(node: FolderNode): void {
    const { rules, matches } = this.parts;
    if (!rules.dependencies.ownsRepository(node.path)) noteImplicitRepository(node, matches);
  }

  #keep({ path, name, parent }: Pick<Seed, 'path' | 'name' | 'parent'>, found: MatchedPath): void {
    parent?.found.add(name);
    this.parts.matches.set(path, found);
  }

  #forget(node: FolderNode, name: string): void {
    if (node.found.delete(name)) this.parts.matches.drop(joined(node.path, name));
  }

  /** What cannot be looked into is hidden if its owner, and so a command, could open it; else the kernel keeps it closed. */
  #failed(node: FolderNode, error: unknown, stats?: Stats): void {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    if (code !== 'EACCES' && code !== 'EPERM') {
      this.problem = { kind: code === 'ENAMETOOLONG' ? 'path' : 'unreadable', folder: node.path };
      return;
    }
    node.closed = true;
    const known = stats ?? lookAt(node.path);
    const user = process.geteuid?.();
    if (known !== undefined && (known.uid === user || user === 0))
      this.#keep(node, matchedAs('hide', known, true));
  }
}
