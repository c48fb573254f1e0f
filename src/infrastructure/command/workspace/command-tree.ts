import { basename, dirname, join } from 'node:path';
import type { LiveCommand, SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { Result } from '../../../domain/result.js';
import { type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import { isOwnFile } from '../../file/own-files.js';
import { isWithin } from '../program/toolchains.js';
import { isSameSet, withStandIn } from './hidden-files.js';
import type { PathChange, TreeChangeSource } from './matched-paths.js';
import type { Quarantine, Quarantined, ReservedPaths } from './quarantine.js';
import type { SensitiveRules } from './sensitive-rules.js';
import { treeFailure } from './tree-failure.js';
import type { CachedTree } from './watched-tree-cache.js';

export interface CommandTreeOptions extends CachedTree {
  readonly rules: SensitiveRules;
  readonly folders: Pick<SandboxView, 'read' | 'write' | 'binds'>;
  readonly places: ReservedPaths;
  /** Where the server looks for its own files. */
  readonly isServerOwned: (path: string) => boolean;
  /** What is read in the place of the policy and the settings. */
  readonly standIn: string | undefined;
  readonly quarantine: Quarantine;
  /** What stays read-only beside what the tree found, given the repositories in it. */
  readonly protectedIn: (repositories: readonly string[]) => readonly string[];
  /** Fixed paths below what commands may write, whether or not they exist. */
  readonly couldAppear: readonly string[];
  readonly shown: (path: string) => string;
  /** The command writes nothing. */
  readonly onlyReads: boolean;
}

const GIT = '/.git/';

/** The tree as one command meets it: planned, looked at again when it begins, watched, and accounted for at its end. */
export class CommandTree {
  readonly #plannedMs = Date.now();
  readonly #quarantined: number;
  #firstNews = 0;
  #version = -1;
  #revision: number | undefined;
  #view: SandboxView | undefined;
  /** Files that are secret by their names and shown all the same: the repository has their content. */
  #open: ReadonlySet<string> = new Set();
  /** Protected files that this command may write. */
  #loose: ReadonlySet<string> = new Set();
  #placeholders: ReadonlyMap<string, string | undefined> = new Map();
  /** Protected files and repositories that were there. */
  #known: ReadonlySet<string> = new Set();

  constructor(private readonly parts: CommandTreeOptions) {
    this.#quarantined = parts.quarantine.count;
  }

  async plan(): Promise<Result<SandboxView, ToolError>> {
    const { tree, places } = this.parts;
    const view = await this.current();
    if (!view.success) return view;
    places.accept(tree, this.parts.isServerOwned);
    this.#firstNews = tree.matches.nextNews;
    this.#known = new Set([...tree.matches.paths('fixed'), ...tree.matches.paths('git')]);
    return view;
  }

  /** As it is by now. */
  async current(): Promise<Result<SandboxView, ToolError>> {
    const { tree, hidden, folders, shown } = this.parts;
    const problem = await tree.refresh();
    if (problem !== undefined) return toolFailure(treeFailure(problem, shown));
    const open = await hidden.open(folders);
    const { revision, matches } = tree;
    const isSame = revision === this.#revision && matches.version === this.#version && open === this.#open;
    if (this.#view === undefined || !isSame) {
      this.#open = open;
      this.#version = matches.version;
      this.#revision = revision;
      const view = this.#compose();
      if (this.#view === undefined || !isSameView(view, this.#view))
        this.#view = { ...view, version: nextVersion() };
    }
    return Result.ok(this.#view);
  }

  /** What tells of changes in the tree. */
  get signs(): TreeChangeSource {
    return this.parts.tree;
  }

  /** Protected files that the rules alone keep from changing. */
  protectedFiles(): readonly string[] {
    return this.parts.tree.matches.paths('fixed');
  }

  /** From the next look on. */
  allowWrites(paths: readonly string[]): void {
    this.#loose = new Set(paths);
    this.#view = undefined;
  }

  /** From the next look on: what lies in the place of hidden files; undefined: nothing that can be read. */
  setPlaceholders(placeholders: ReadonlyMap<string, string | undefined>): void {
    this.#placeholders = placeholders;
    this.#view = undefined;
  }

  /** They stay closed after all. */
  revokeWrites(paths: readonly string[]): void {
    if (paths.length === 0) return;
    this.#loose = new Set([...this.#loose].filter((path) => !paths.includes(path)));
    this.#view = undefined;
  }

  isShown(path: string): boolean {
    return this.#open.has(path);
  }

  repositories(): readonly string[] {
    return this.parts.tree.matches.paths('git');
  }

  begin(command: LiveCommand): () => void {
    const view = this.#view ?? this.#compose();
    const { masks, onlyReads } = this.parts;
    return masks.begin({ command, view, open: this.#open, plannedMs: this.#plannedMs, onlyReads });
  }

  /** Protected files and repositories that have come into being, or links that were exchanged, since the plan. */
  async appeared(): Promise<readonly string[]> {
    const { tree, places, quarantine } = this.parts;
    // A tree that cannot be looked through any more refuses the next command; what is known of it is told.
    await tree.refresh();
    const news = tree.matches.newsSince(this.#firstNews);
    places.clear(news, this.parts.isServerOwned);
    const taken = new Set(quarantine.since(this.#quarantined).map(({ path }) => path));
    return [...new Set(news.filter((piece) => this.#isTold(piece)).map(({ path }) => path))].filter(
      (path) => !taken.has(path),
    );
  }

  /** The policy itself hides files, also such as may come into being while the command runs. */
  get hidesByName(): boolean {
    return this.parts.rules.namesSome;
  }

  quarantined(): readonly Quarantined[] {
    const { quarantine, folders } = this.parts;
    return quarantine
      .since(this.#quarantined)
      .filter(({ path }) => folders.write.some((root) => isWithin(path, root)))
      .map(({ path, moved }) => ({ path, moved: join(basename(dirname(moved)), basename(moved)) }));
  }

  #isTold({ path, found, before }: PathChange): boolean {
    if (found.kind === 'hide' || isOwnFile(path)) return false;
    if (!this.parts.folders.write.some((root) => isWithin(path, root))) return false;
    return !this.#known.has(path) || (before?.isLink ?? false);
  }

  #compose(): SandboxView {
    const { folders, tree, hidden, couldAppear, protectedIn, standIn } = this.parts;
    const doors = protectedIn(this.repositories());
    const hide = hidden.hidden(this.#open);
    const isFound = (path: string): boolean => tree.matches.get(path) !== undefined;
    const fixed = new Set([...doors, ...couldAppear.filter(isInGit), ...tree.matches.paths('fixed')]);
    return {
      ...folders,
      hide,
      placeholders: withStandIn(standIn, hidden.serverFiles(hide), this.#placeholders),
      readOnlyInside: [...fixed].filter((path) => !this.#loose.has(path)),
      // The tree would have found the others.
      couldAppear: couldAppear.filter((path) => !fixed.has(path) && !isFound(path)),
      pinned: hidden.pinned(hide, folders.write),
    };
  }
}

/** In whatever order things were found. */
function isSameView(one: SandboxView, other: SandboxView): boolean {
  const lists = ({ hide, readOnlyInside, pinned = [], couldAppear = [] }: SandboxView) =>
    [hide, readOnlyInside, pinned, couldAppear].map((paths) => new Set(paths));
  const others = lists(other);
  return lists(one).every((paths, index) => isSameSet(paths, others[index] ?? new Set()));
}

let versions = 0;

/** No two views that differ have the same, whosever they are. */
function nextVersion(): number {
  versions += 1;
  return versions;
}

/** In there the tree looks for nothing. */
function isInGit(path: string): boolean {
  return path.includes(GIT);
}
