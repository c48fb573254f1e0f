import { join } from 'node:path';
import type { LiveCommand, SandboxView } from '../../../application/ports/command-sandbox.js';
import { isWithin } from '../../sandbox/toolchains.js';
import { tryLookAt } from './read-entries.js';
import type { News } from './tree-findings.js';
import type { TreePicture } from './tree-picture.js';

export interface LiveStart {
  readonly command: LiveCommand;
  readonly view: SandboxView;
  /** When the view was made, as Date.now() tells it. */
  readonly plannedMs: number;
}

interface Live extends LiveStart {
  readonly hide: Set<string>;
  readonly readOnly: Set<string>;
}

/** The kernel stamps births with a clock that lags behind a little. */
const CLOCK_LAG_MS = 50;
const POLL_MS = 200;
/** What is unpacked here by a command is a package's, not somebody's secret; masks would break its installation. */
const PACKAGES = /\/(?:node_modules|site-packages|dist-packages)\//;

/**
 * Covers again, in every running command, what was replaced from outside: a mount belongs to an object, and an
 * editor's save puts another one in its place. What appears anew is covered as well where it is secret, or where it
 * is older than the command and so was not made by it.
 */
export class LiveCovers {
  readonly #live = new Set<Live>();
  readonly #replaced = new Set<string>();
  #unfollow: (() => void) | undefined;
  #poll: NodeJS.Timeout | undefined;
  #news = 0;
  #pumping = false;
  #again = false;

  constructor(
    private readonly picture: TreePicture,
    /** Told of everything that is new while commands run. */
    private readonly onNews: (news: readonly News[]) => void,
  ) {}

  begin(start: LiveStart): () => void {
    const live: Live = {
      ...start,
      hide: new Set(start.view.hide),
      // The view also names what is not there yet, and that has no cover to be renewed.
      readOnly: new Set(start.view.readOnlyInside.filter((path) => tryLookAt(path) !== undefined)),
    };
    if (this.#live.size === 0) this.#watch();
    this.#live.add(live);
    return () => {
      this.#live.delete(live);
      if (this.#live.size === 0) this.#rest();
    };
  }

  #watch(): void {
    const { findings } = this.picture;
    this.#news = findings.nextNews;
    this.#unfollow = this.picture.follow((folder, name) => {
      if (name !== undefined) this.#noteReplaced(join(folder, name));
      this.#wake();
    });
    if (this.picture.isPolled) this.#poll = setInterval(() => this.#wake(), POLL_MS).unref();
  }

  #rest(): void {
    this.#unfollow?.();
    clearInterval(this.#poll);
    this.#replaced.clear();
  }

  #noteReplaced(path: string): void {
    for (const { hide, readOnly } of this.#live) {
      if (hide.has(path) || readOnly.has(path)) this.#replaced.add(path);
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
        // What had a cover needs no look at the tree, and is the most urgent.
        const replaced = [...this.#replaced].filter((path) => tryLookAt(path) !== undefined);
        this.#replaced.clear();
        await this.#cover(replaced, []);
        await this.picture.refresh();
        const news = this.picture.findings.newsSince(this.#news);
        this.#news = this.picture.findings.nextNews;
        const done = new Set(replaced);
        await this.#cover(
          [],
          news.filter(({ path }) => !done.has(path)),
        );
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

  async #cover(replaced: readonly string[], news: readonly News[]): Promise<void> {
    await Promise.all([...this.#live].map((live) => this.#coverIn(live, replaced, news)));
  }

  async #coverIn(live: Live, replaced: readonly string[], news: readonly News[]): Promise<void> {
    const hide = [
      ...replaced.filter((path) => live.hide.has(path)),
      ...news.filter((piece) => isToHide(piece, live)).map(({ path }) => path),
    ];
    const readOnlyInside = [
      ...replaced.filter((path) => live.readOnly.has(path) && !live.hide.has(path)),
      ...news.filter((piece) => isToKeep(piece, live)).map(({ path }) => path),
    ];
    if (hide.length === 0 && readOnlyInside.length === 0) return;
    for (const path of hide) live.hide.add(path);
    for (const path of readOnlyInside) live.readOnly.add(path);
    try {
      await live.command.cover({ hide, readOnlyInside });
    } catch (error) {
      live.command.end(
        `A file it must not touch was replaced and could not be covered again: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
}

function isToHide({ path, found }: News, live: Live): boolean {
  if (found.kind !== 'hide' || found.closed) return false;
  const { read, write } = live.view;
  if (![...read, ...write].some((root) => isWithin(path, root))) return false;
  return live.hide.has(path) || isOlder(found.bornMs, live) || !PACKAGES.test(path);
}

/** A protected file that was born while the command ran may be its own: git checkouts and generators make them. */
function isToKeep({ path, found }: News, live: Live): boolean {
  if (found.kind !== 'fixed' || found.isLink) return false;
  if (!live.view.write.some((root) => isWithin(path, root))) return false;
  return live.readOnly.has(path) || isOlder(found.bornMs, live);
}

function isOlder(bornMs: number, { plannedMs }: Live): boolean {
  return bornMs < plannedMs - CLOCK_LAG_MS;
}
