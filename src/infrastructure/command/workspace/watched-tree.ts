import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { objectKey } from '../../file/object-key.js';
import type { ChangeTracker } from './change-tracker.js';
import type { DeniedObjectStore } from './denied-object-store.js';
import type { FolderNode } from './folder-node.js';
import { CLOCK_LAG_MS } from './folder-node.js';
import { FolderScan, type TreeProblem } from './folder-scan.js';
import { hiddenBelowInvalidName } from './invalid-names.js';
import { type CountsAnyway, MatchedPaths, type TreeChangeListener, TreeRevision } from './matched-paths.js';
import { tryLookAt } from './read-entries.js';
import type { SensitiveRules } from './sensitive-rules.js';

export interface WatchedTreeOptions {
  readonly roots: readonly string[];
  readonly rules: SensitiveRules;
  readonly tracker: ChangeTracker;
  readonly places: DeniedObjectStore;
  readonly maxEntries?: number;
  readonly countsAnyway: CountsAnyway;
}

/** A name in a folder that came, went or stands for something else. */
export type MoveListener = (folder: string, name: string | undefined) => void;

export const MAX_ENTRIES = 1_000_000;
/** Each follows what happened during the one before. */
const MAX_ROUNDS = 20;

/** What the rules say about a tree, kept right by what the kernel tells about its folders. */
export class WatchedTree {
  readonly matches = new MatchedPaths();
  readonly rules: SensitiveRules;
  readonly #scan: FolderScan;
  readonly #revision: TreeRevision;
  readonly #dirty = new Set<FolderNode>();
  readonly #listeners = new Set<MoveListener>();
  #losses = -1;
  /** Counts what was marked, and what of it the last hunt for names knew. */
  #marks = 0;
  #hunted = '';
  #refreshing: Promise<TreeProblem | undefined> | undefined;
  #waiting: Promise<TreeProblem | undefined> | undefined;
  #isClosed = false;

  constructor(private readonly parts: WatchedTreeOptions) {
    this.rules = parts.rules;
    this.#revision = new TreeRevision(this.matches, parts.countsAnyway);
    this.#scan = new FolderScan({
      ...parts,
      matches: this.matches,
      maxEntries: parts.maxEntries ?? MAX_ENTRIES,
      onChange: (node, kind, name) => this.#changed(node, kind, name),
      onEnter: (node) => this.#revision.enter(node),
      onDrop: () => this.#revision.increment(),
    });
  }

  /** What was denied at other places. */
  get objects(): DeniedObjectStore {
    return this.parts.places;
  }

  /** True where some folders can only be asked for the time of their last change. */
  get isPolled(): boolean {
    return this.#scan.unwatched.size > 0;
  }

  get isFollowed(): boolean {
    return this.#listeners.size > 0;
  }

  /** The same number: nothing that views or git depend on has changed, as of the last refresh. undefined: nobody knows. */
  get revision(): number | undefined {
    return this.isPolled ? undefined : this.#revision.current;
  }

  /** Told at once of whatever changes the revision and has a place. */
  onChange(listener: TreeChangeListener): () => void {
    return this.#revision.follow(listener);
  }

  /** Told at once, before the picture is refreshed. */
  follow(listener: MoveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The matches are right as of a moment after this was called. A problem: they are not, and nobody may rely on them. */
  refresh(): Promise<TreeProblem | undefined> {
    if (this.#refreshing === undefined) {
      this.#refreshing = this.#refresh().finally(() => {
        this.#refreshing = undefined;
      });
      return this.#refreshing;
    }
    this.#waiting ??= this.#refreshing
      .catch(() => undefined)
      .then(() => {
        this.#waiting = undefined;
        return this.refresh();
      });
    return this.#waiting;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#refreshing?.catch(() => undefined);
    await this.#dropAll();
  }

  #changed(node: FolderNode, kind: 'moved' | 'touched', name: string | undefined): void {
    if (this.#scan.nodes.get(node.path) !== node) return;
    this.#revision.recordChange(node, name);
    // Content does not matter here, a mode does where it kept us out.
    if (kind === 'touched' && !(name !== undefined && node.children.get(name)?.closed)) return;
    this.#mark(node, name);
    for (const listener of this.#listeners) listener(node.path, name);
  }

  #mark(node: FolderNode, name: string | undefined): void {
    node.mark(name);
    this.#marks += 1;
    this.#dirty.add(node);
  }

  async #refresh(): Promise<TreeProblem | undefined> {
    if (this.#isClosed) return { kind: 'unreadable', folder: this.parts.roots[0] ?? '/' };
    const secrets = this.matches.hiddenKeys();
    for (let round = 0; round < MAX_ROUNDS && !this.#isClosed; round += 1) {
      await this.parts.tracker.drain();
      if (this.#scan.problem !== undefined || this.parts.tracker.losses !== this.#losses)
        await this.#rebuild();
      else {
        await this.#untilComparable();
        if (!this.#sweep()) continue;
        if (this.#dirty.size === 0 && !this.#huntNames()) return this.#settled();
        await this.#follow();
      }
      if (this.#scan.problem !== undefined) return this.#scan.problem;
    }
    this.matches.settle();
    // Folders that are made all the time are followed while commands run. A secret on the move is not to be run with.
    const present = this.matches.hiddenKeys();
    for (const key of secrets.keys()) {
      if (!present.has(key)) return { kind: 'moving', folder: dirname(secrets.get(key) ?? '') };
    }
    return undefined;
  }

  #settled(): TreeProblem | undefined {
    this.matches.settle();
    for (const { path } of this.#scan.opaque) {
      if (hiddenBelowInvalidName(path, this.rules)) return { kind: 'name', folder: path };
    }
    return undefined;
  }

  async #rebuild(): Promise<void> {
    await this.#dropAll();
    this.#marks += 1;
    this.#revision.increment();
    this.#scan.problem = undefined;
    this.#losses = this.parts.tracker.losses;
    for (const root of this.parts.roots) {
      if (this.#scan.problem === undefined) await this.#scan.root(root);
    }
  }

  async #dropAll(): Promise<void> {
    this.#dirty.clear();
    for (const root of this.parts.roots) {
      const node = this.#scan.nodes.get(root);
      if (node !== undefined) await this.#scan.drop(node);
      this.matches.drop(root);
    }
  }

  /** Reads again what changed. */
  async #follow(): Promise<void> {
    for (const node of [...this.#dirty]) {
      this.#dirty.delete(node);
      if (this.#scan.nodes.get(node.path) !== node) continue;
      const { names, moved } = node.take();
      if (names === 'all' || node.closed) await this.#scan.reread(node);
      const again = new Set(names === 'all' ? moved : [...moved, ...names]);
      for (const name of again) {
        const child = node.children.get(name);
        if (child !== undefined) await this.#scan.drop(child);
        await this.#scan.look(node, name);
        if (this.#scan.problem !== undefined) return;
      }
    }
  }

  /** Compares folders that nobody watches. False: a root is another folder now, and everything is read anew. */
  #sweep(): boolean {
    for (const root of this.parts.roots) {
      const node = this.#scan.nodes.get(root);
      const stats = tryLookAt(root);
      const key = stats?.isDirectory() ? objectKey(stats) : undefined;
      if (node?.key !== key && this.matches.get(root)?.kind !== 'hide') {
        this.#losses = -1;
        return false;
      }
    }
    for (const node of this.#scan.unwatched) this.#compare(node);
    return true;
  }

  /** A folder that was read in the instant of its last change could change again without another time. */
  async #untilComparable(): Promise<void> {
    for (const { stamp } of this.#scan.unwatched) {
      if (stamp === undefined) {
        await sleep(CLOCK_LAG_MS);
        return;
      }
    }
  }

  #compare(node: FolderNode): void {
    const { stamp, parent } = node;
    const stats = tryLookAt(node.path);
    const isSame = stats !== undefined && objectKey(stats) === node.key;
    // Only a rename, a mode or a set time change this time alone.
    const isMoved = !isSame || (stats.ctimeMs !== stamp?.changedMs && stats.mtimeMs === stamp?.modifiedMs);
    if (isMoved && parent !== undefined && stamp !== undefined) this.#mark(parent, node.name);
    else if (stats?.ctimeMs !== stamp?.changedMs) this.#mark(node, undefined);
  }

  /** True: a hidden object may have names that no rule is about, and all folders are read again to find them. */
  #huntNames(): boolean {
    const { nodes, judge } = this.#scan;
    const before = judge.wanted.size;
    const state = `${this.#marks} ${this.parts.places.count}`;
    // A name can have come to a folder that is watched only if the kernel told of it. Who watches a hidden root is not known.
    const hidesRoot = this.parts.roots.some((root) => this.matches.get(root)?.kind === 'hide');
    const isQuiet = state === this.#hunted && !this.isPolled && !hidesRoot;
    for (const path of isQuiet ? [] : judge.seekNames(this.matches.entries())) {
      const node = nodes.get(dirname(path));
      if (node !== undefined) this.#mark(node, basename(path));
    }
    judge.seekMoved((path) => isQuiet && nodes.has(dirname(path)));
    if (judge.wanted.size > before) for (const node of nodes.values()) this.#mark(node, undefined);
    this.#hunted = state;
    return this.#dirty.size > 0;
  }
}
