import { basename, dirname, join } from 'node:path';
import type { LiveCommand, SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { Result } from '../../../domain/result.js';
import { type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import { isOwnFile } from '../../file/own-files.js';
import type { TreeSigns } from '../git/door-watch.js';
import type { TrackedSecrets } from '../git/tracked-secrets.js';
import { isWithin } from '../program/toolchains.js';
import type { Quarantine, Quarantined } from '../view/quarantine.js';
import type { SensitiveRules } from './sensitive-rules.js';
import type { ServerPlaces } from './server-places.js';
import type { News } from './tree-findings.js';
import type { KeptPicture } from './tree-pictures.js';
import { treeRefusal } from './tree-refusal.js';
import { isSameSet } from './view-memo.js';

export interface TreeViewParts extends KeptPicture {
  readonly rules: SensitiveRules;
  readonly folders: Pick<SandboxView, 'read' | 'write'>;
  readonly places: ServerPlaces;
  readonly quarantine: Quarantine;
  readonly tracked: TrackedSecrets;
  /**
   * What stays read-only beside what the picture found, given the repositories in it: the same object as long as it is
   * the same.
   */
  readonly protectedIn: (repositories: readonly string[]) => readonly string[];
  /** Fixed paths below what commands may write, whether or not they exist. */
  readonly couldAppear: readonly string[];
  readonly shown: (path: string) => string;
}

/** Packages bring folders such as .vscode by the hundred, which nobody opens there. */
const PACKAGES = '/node_modules/';
const GIT = '/.git/';

/** The tree as one command meets it: planned, looked at again when it begins, watched, and accounted for at its end. */
export class TreeView {
  readonly #plannedMs = Date.now();
  readonly #quarantined: number;
  #firstNews = 0;
  #version = -1;
  #pulse: number | undefined;
  #view: SandboxView | undefined;
  /** Files that are secret by their names and shown all the same: the repository has their content. */
  #open: ReadonlySet<string> = new Set();
  /** Protected files that this command may write. */
  #loose: ReadonlySet<string> = new Set();
  #lookalikes: ReadonlyMap<string, string> | undefined;
  /** Protected files and repositories that were there. */
  #known: ReadonlySet<string> = new Set();

  constructor(private readonly parts: TreeViewParts) {
    this.#quarantined = parts.quarantine.count;
  }

  async plan(): Promise<Result<SandboxView, ToolError>> {
    const { picture, places } = this.parts;
    const view = await this.current();
    if (!view.success) return view;
    places.accept(picture);
    this.#firstNews = picture.findings.nextNews;
    this.#known = new Set([...picture.findings.paths('fixed'), ...picture.findings.paths('git')]);
    return view;
  }

  /** The same object as long as nothing that matters has changed. */
  async current(): Promise<Result<SandboxView, ToolError>> {
    const { picture, shown } = this.parts;
    const problem = await picture.refresh();
    if (problem !== undefined) return toolFailure(treeRefusal(problem, shown));
    const open = await this.#openSecrets();
    const { pulse, findings } = picture;
    const isSame = pulse === this.#pulse && findings.version === this.#version && isSameSet(open, this.#open);
    if (this.#view === undefined || !isSame) {
      this.#open = open;
      this.#version = findings.version;
      this.#pulse = pulse;
      this.#view = this.#make();
    }
    return Result.ok(this.#view);
  }

  /** What tells of changes in the tree. */
  get signs(): TreeSigns {
    return this.parts.picture;
  }

  /** Protected files that the rules alone keep from changing. */
  protectedFiles(): readonly string[] {
    return this.parts.picture.findings.paths('fixed');
  }

  /** From the next look on. */
  loosen(paths: readonly string[]): void {
    this.#loose = new Set(paths);
    this.#view = undefined;
  }

  /** From the next look on: what lies in the place of hidden files. */
  disguise(lookalikes: ReadonlyMap<string, string>): void {
    this.#lookalikes = lookalikes;
    this.#view = undefined;
  }

  /** They stay closed after all. */
  tighten(paths: readonly string[]): void {
    if (paths.length === 0) return;
    this.#loose = new Set([...this.#loose].filter((path) => !paths.includes(path)));
    this.#view = undefined;
  }

  isShown(path: string): boolean {
    return this.#open.has(path);
  }

  repositories(): readonly string[] {
    return this.parts.picture.findings.paths('git');
  }

  begin(command: LiveCommand): () => void {
    const view = this.#view ?? this.#make();
    const { covers, places } = this.parts;
    const over = places.begin();
    const uncover = covers.begin({ command, view, open: this.#open, plannedMs: this.#plannedMs });
    return () => {
      uncover();
      over();
    };
  }

  /** Protected files and repositories that have come into being, or links that were exchanged, since the plan. */
  async appeared(): Promise<readonly string[]> {
    const { picture, places, quarantine } = this.parts;
    // A tree that cannot be looked through any more refuses the next command; what is known of it is told.
    await picture.refresh();
    const news = picture.findings.newsSince(this.#firstNews);
    places.clear(news);
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

  #isTold({ path, found, before }: News): boolean {
    if (found.kind === 'hide' || path.includes(PACKAGES) || isOwnFile(path)) return false;
    if (!this.parts.folders.write.some((root) => isWithin(path, root))) return false;
    return !this.#known.has(path) || (before?.isLink ?? false);
  }

  #openSecrets(): Promise<ReadonlySet<string>> {
    const { picture, rules, tracked, folders } = this.parts;
    const secrets = [...picture.findings.entries()].filter(
      ([path, found]) =>
        found.kind === 'hide' &&
        found.isFile &&
        found.links === 1 &&
        rules.isHidden(path) &&
        !rules.isNamed(path),
    );
    const seen = { entries: this.repositories(), folders: [...folders.read, ...folders.write] };
    return tracked.open(
      secrets.map(([path]) => path),
      seen,
    );
  }

  #make(): SandboxView {
    const { folders, memo, protectedIn } = this.parts;
    const doors = protectedIn(this.repositories());
    const grounds = { folders, version: this.#version, open: this.#open, protected: doors };
    if (this.#lookalikes !== undefined) return this.#compose(doors);
    return this.#loose.size > 0
      ? memo.keep(this.#compose(doors))
      : memo.recall(grounds, () => this.#compose(doors));
  }

  #compose(doors: readonly string[]): SandboxView {
    const { folders, picture, couldAppear } = this.parts;
    const hide = picture.findings.paths('hide').filter((path) => !this.#open.has(path));
    const isFound = (path: string): boolean => picture.findings.get(path) !== undefined;
    const fixed = new Set([...doors, ...couldAppear.filter(isInGit), ...picture.findings.paths('fixed')]);
    return {
      ...folders,
      hide,
      ...(this.#lookalikes && { lookalikes: this.#lookalikes }),
      readOnlyInside: [...fixed].filter((path) => !this.#loose.has(path)),
      // The picture would have found the others.
      couldAppear: couldAppear.filter((path) => !fixed.has(path) && !isFound(path)),
      pinned: this.#pinned(hide),
    };
  }

  /** The folders above what a rule hides by its place. */
  #pinned(hide: readonly string[]): readonly string[] {
    const { folders, rules } = this.parts;
    const pinned = new Set<string>();
    for (const path of hide) {
      const root = folders.write.find((folder) => isWithin(path, folder));
      if (root === undefined || !rules.isHidden(path)) continue;
      let parents = rules.pinnedParents(path);
      for (
        let folder = dirname(path);
        parents > 0 && isWithin(folder, root) && folder !== root;
        parents -= 1
      ) {
        pinned.add(folder);
        folder = dirname(folder);
      }
    }
    return [...pinned];
  }
}

/** In there the picture looks for nothing. */
function isInGit(path: string): boolean {
  return path.includes(GIT);
}
