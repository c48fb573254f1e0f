import { join } from 'node:path';
import type { LiveCommand, SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { isWithin } from '../program/toolchains.js';
import type { PathChange } from './matched-paths.js';
import { tryLookAt } from './read-entries.js';
import type { TrackedFiles } from './tracked-files.js';
import type { WatchedTree } from './watched-tree.js';

export interface LiveStart {
  readonly command: LiveCommand;
  readonly view: SandboxView;
  /** Secret by their names, and shown. */
  readonly open: ReadonlySet<string>;
  /** When the view was made, as Date.now() tells it. */
  readonly plannedMs: number;
  /** Its programs write nothing: what changes while it runs is the user's. */
  readonly onlyReads: boolean;
}

interface Live extends LiveStart {
  readonly hide: Set<string>;
  /** Shown, or appeared and left open, because the repository has their content. */
  readonly shown: Set<string>;
  /** Those of them that appeared: whoever writes another content there is not git. */
  readonly brought: Set<string>;
  readonly readOnly: Set<string>;
}

/** The kernel stamps births with a clock that lags behind a little. */
const CLOCK_LAG_MS = 50;
const POLL_MS = 200;

/**
 * Covers again, in every running command, what was replaced from outside: a mount belongs to an object, and an
 * editor's save puts another one in its place. What appears anew is covered as well where it is secret, or where it
 * is older than the command and so was not made by it.
 */
export class LiveMasks {
  readonly #live = new Set<Live>();
  #unfollow: (() => void)[] = [];
  #poll: NodeJS.Timeout | undefined;
  #news = 0;
  #pumping = false;
  #again = false;

  constructor(
    private readonly tree: WatchedTree,
    /** Told of everything that is new while commands run. */
    private readonly onNews: (news: readonly PathChange[]) => void,
    private readonly tracked: Pick<TrackedFiles, 'isStored' | 'leftBy'>,
  ) {}

  begin(start: LiveStart): () => void {
    const live: Live = {
      ...start,
      hide: new Set(start.view.hide),
      shown: new Set(start.open),
      brought: new Set(),
      // The view also names what is not there yet, and that has no cover to be renewed.
      readOnly: new Set(presentIn(start.view)),
    };
    if (this.#live.size === 0) this.#watch();
    this.#live.add(live);
    return () => {
      this.#live.delete(live);
      if (!live.onlyReads) this.tracked.leftBy([...live.shown].filter((path) => !live.hide.has(path)));
      if (this.#live.size === 0) this.#rest();
    };
  }

  #watch(): void {
    const { matches } = this.tree;
    this.#news = matches.nextNews;
    this.#unfollow = [
      this.tree.follow((folder, name) => {
        if (name !== undefined) this.#maskAtOnce(join(folder, name));
        this.#wake();
      }),
      this.tree.onChange((folder, name) => this.#maskWritten(folder, name)),
    ];
    // Also where a watch could not be had for a folder that came while commands run.
    this.#poll = setInterval(() => {
      if (this.tree.isPolled) this.#wake();
    }, POLL_MS).unref();
  }

  #rest(): void {
    for (const unfollow of this.#unfollow.splice(0)) unfollow();
    clearInterval(this.#poll);
  }

  /** A copy of what the repository has, such as an example of settings, is filled with secrets in place. */
  #maskWritten(folder: string, name: string | undefined): void {
    const path = name === undefined ? undefined : join(folder, name);
    for (const live of this.#live)
      if (path !== undefined && live.brought.has(path) && !live.hide.has(path))
        void this.#mask(live, [path], []);
  }

  /** What had a cover, or is hidden by its very name, needs no look at the tree: it is open now. */
  #maskAtOnce(path: string): void {
    const { rules } = this.tree;
    const isHidden = rules.isHidden(path) && !rules.dependencies.has(path);
    for (const live of this.#live) {
      const isSecret = live.hide.has(path) || (isHidden && sees(live, path));
      if ((isSecret || live.readOnly.has(path)) && tryLookAt(path) !== undefined)
        void this.#mask(live, isSecret ? [path] : [], isSecret ? [] : [path]);
    }
  }

  #wake(): void {
    this.#again = true;
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => void this.#pump());
  }

  async #pump(): Promise<void> {
    try {
      while (this.#again && this.#live.size > 0) {
        this.#again = false;
        await this.tree.refresh();
        const news = this.tree.matches.newsSince(this.#news);
        this.#news = this.tree.matches.nextNews;
        await Promise.all([...this.#live].map((live) => this.#maskChanges(live, news)));
        if (news.length > 0) this.onNews(news);
      }
    } catch (error) {
      for (const { command } of this.#live)
        command.end(
          `Its files could not be watched any more: ${error instanceof Error ? error.message : error}`,
        );
    } finally {
      this.#pumping = false;
    }
  }

  /** Again even where it was covered at once: who covers twice finds it done. */
  #maskChanges(live: Live, news: readonly PathChange[]): Promise<void> {
    const hide = news
      .filter((piece) => isToHide(piece, live))
      .filter((piece) => live.hide.has(piece.path) || !this.#isPackages(piece, live))
      .map(({ path }) => path);
    const readOnly = news.filter((piece) => isToKeep(piece, live)).map(({ path }) => path);
    return this.#mask(live, hide, readOnly);
  }

  async #mask(live: Live, hide: readonly string[], readOnlyInside: readonly string[]): Promise<void> {
    const isSure = (path: string): boolean => live.hide.has(path) || this.tree.rules.isNamed(path);
    try {
      await this.#maskNow(live, hide.filter(isSure), readOnlyInside);
      const secret: string[] = [];
      for (const path of hide.filter((name) => !isSure(name)))
        if (!(await this.#isStored(live, path))) secret.push(path);
      await this.#maskNow(live, secret, []);
    } catch (error) {
      live.command.end(
        `A file it must not touch was replaced and could not be covered again: ${error instanceof Error ? error.message : error}`,
      );
    }
  }

  /**
   * What a command unpacks in a dependency folder is a package's: masks would break its installation. Package managers
   * also rename what they replace.
   */
  #isPackages({ path, found }: PathChange, live: Live): boolean {
    const { dependencies } = this.tree.rules;
    if (!dependencies.has(path)) return false;
    if (!isOlder(found.bornMs, live)) return true;
    return dependencies.ships(path) && !this.tree.objects.wasSecret(found.key);
  }

  /** git itself brings secrets that are tracked: a mask would be in its way, and hide nothing that it has not. */
  async #isStored(live: Live, path: string): Promise<boolean> {
    const { read, write } = live.view;
    const seen = { entries: this.tree.matches.paths('git'), folders: [...read, ...write] };
    const isStored = await this.tracked.isStored(path, seen);
    if (isStored) {
      live.shown.add(path);
      live.brought.add(path);
    }
    return isStored;
  }

  async #maskNow(live: Live, hide: readonly string[], readOnlyInside: readonly string[]): Promise<void> {
    if (hide.length === 0 && readOnlyInside.length === 0) return;
    for (const path of hide) live.hide.add(path);
    for (const path of readOnlyInside) live.readOnly.add(path);
    await live.command.cover({ hide, readOnlyInside });
  }
}

/** What comes after the view was made is told as news. */
function presentIn({ readOnlyInside }: SandboxView): readonly string[] {
  return readOnlyInside.filter((path) => tryLookAt(path) !== undefined);
}

function isToHide({ path, found }: PathChange, live: Live): boolean {
  return found.kind === 'hide' && !found.closed && sees(live, path);
}

/** A protected file that was born while the command ran may be its own: git checkouts and generators make them. */
function isToKeep({ path, found }: PathChange, live: Live): boolean {
  if (found.kind !== 'fixed' || found.isLink) return false;
  if (!live.view.write.some((root) => isWithin(path, root))) return false;
  return live.readOnly.has(path) || isOlder(found.bornMs, live);
}

function sees({ view: { read, write } }: Live, path: string): boolean {
  return read.some((root) => isWithin(path, root)) || write.some((root) => isWithin(path, root));
}

function isOlder(bornMs: number, { plannedMs }: Live): boolean {
  return bornMs < plannedMs - CLOCK_LAG_MS;
}
