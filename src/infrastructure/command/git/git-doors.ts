import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { TreeChangeSource } from '../workspace/matched-paths.js';
import { Quarantine } from '../workspace/quarantine.js';
import { DoorBaseline, type KnownDoors, type OpenDoor } from './door-baseline.js';
import { DoorClosing } from './door-closing.js';
import { mayBeDoor } from './door-names.js';
import type { DoorFinding, DoorRequest, DoorWatch, PreparedDoors, RunningCommand } from './door-watch.js';
import { GitLinks } from './git-links.js';
import { allPlaces, type DoorScope, foldersToWatch, type GitPlace } from './git-place.js';
import { IndexGuard } from './index/index-guard.js';
import { namesStamp } from './named-files.js';
import { ProtectedRepositories } from './protected-repositories.js';

/** How often they are looked at where nobody tells of changes. */
const POLL_MS = 200;
const NOTHING: DoorScope = { roots: [], entries: [], mounted: new Set(), own: undefined };

/**
 * Watches over the files that make git run something or look elsewhere. What exists is mounted read-only; what a
 * command makes is judged when it appears and again before the answer, and taken away where the user's next git
 * command would obey it.
 */
export class GitDoors {
  readonly #running = new Set<RunningCommand>();
  readonly #links = new GitLinks();
  readonly #made = new Set<string>();
  readonly #quarantine: Quarantine;
  readonly #closing: DoorClosing;
  readonly #repositories: ProtectedRepositories;
  readonly #indexes: IndexGuard;
  #scope = NOTHING;
  #prepared: { readonly key: string; readonly doors: PreparedDoors } | undefined;
  #known: KnownDoors | undefined;
  #watched: ReadonlySet<string> = new Set();
  #isChecking = false;

  constructor(
    private readonly workspace: string,
    stateFolder: string,
  ) {
    this.#repositories = new ProtectedRepositories(workspace);
    this.#quarantine = new Quarantine(join(stateFolder, 'quarantine'));
    this.#closing = new DoorClosing(this.#quarantine);
    this.#indexes = new IndexGuard(join(stateFolder, 'git-indexes'));
  }

  /** The same objects as long as the revision and what it does not know are the same. */
  prepare(request: DoorRequest): PreparedDoors {
    const key = this.#keyOf(request);
    if (key !== undefined && this.#prepared?.key === key) return this.#prepared.doors;
    const fresh = this.#prepare(request);
    const before = this.#prepared?.doors;
    const doors = isDeepStrictEqual(before, fresh) ? (before ?? fresh) : fresh;
    // Reading the configuration is what tells of the files that it names.
    const now = this.#keyOf(request);
    this.#prepared = now === undefined ? undefined : { key: now, doors };
    return doors;
  }

  /** Git folders outside the workspace that belong to its own repository. */
  ownFolders(): readonly string[] {
    return this.#repositories.ownOutside();
  }

  /** To be called before a command starts; `end` ends it. */
  begin(scope: DoorScope, signs: TreeChangeSource, end: (why: string) => void): DoorWatch {
    this.#scope = scope;
    // What a command that is still running has made must not become part of what was there before.
    const before = this.#running.size === 0 ? this.#remember(signs.revision) : [];
    const command = { end, findings: new Map(before.map((finding) => [finding.path, finding])) };
    this.#running.add(command);
    const unfollow = signs.onChange((folder, name) => this.#onEvent(folder, name));
    const poll =
      signs.revision === undefined ? setInterval(() => this.check(false), POLL_MS).unref() : undefined;
    return {
      widen: (wider) => {
        if (wider === this.#scope) return;
        this.#scope = wider;
        if (this.#running.size === 1) this.#remember(signs.revision);
      },
      close: (appeared) => {
        unfollow();
        clearInterval(poll);
        for (const entry of appeared) this.#made.add(entry);
        this.#running.delete(command);
        if (!this.#isAsKnown(signs.revision))
          for (const finding of this.check(true)) command.findings.set(finding.path, finding);
        return [...command.findings.values()];
      },
    };
  }

  /** Repositories that have just come into being while commands run: at once, for one of those may run for hours. */
  appeared(entries: readonly string[]): void {
    const known = new Set(this.#entries());
    const fresh = entries.filter((entry) => !known.has(entry));
    if (this.#running.size === 0 || fresh.length === 0) return;
    for (const entry of fresh) this.#made.add(entry);
    this.check(false);
  }

  /** `isOver`: a command has ended, so that what it left is judged in full. */
  check(isOver: boolean): readonly DoorFinding[] {
    const places = this.#places();
    this.#watch(places);
    const baseline = this.#known?.baseline;
    const close = (door: OpenDoor): DoorFinding => this.#closing.shut(door);
    const { roots } = this.#scope;
    const open = baseline?.open(places, this.#entries(), { roots, isOver }) ?? [];
    const findings = [
      ...[...open, ...(isOver ? this.#links.fresh(places) : [])].map(close),
      ...this.#indexes.open(places, { isOver, isQuiet: this.#running.size === 0 }).map(close),
    ];
    this.#tell(findings);
    return findings;
  }

  #tell(findings: readonly DoorFinding[]): void {
    for (const command of this.#running) {
      for (const finding of findings) command.findings.set(finding.path, finding);
      if (findings[0] !== undefined) command.end(findings[0].text);
    }
  }

  /** Alone: git writes its index far more often than anything else that it obeys. */
  #checkIndex(folder: string): void {
    if (!this.#watched.has(folder)) return;
    const open = this.#indexes.openIn({ folder }, { isOver: false, isQuiet: false });
    if (open !== undefined) this.#tell([this.#closing.shut(open)]);
  }

  /** At once, and again after whatever else was told in the same turn: each look sees all that has happened. */
  #onEvent(folder: string, name: string | undefined): void {
    if (name === 'index') this.#checkIndex(folder);
    if (this.#isChecking || !this.#watched.has(folder) || !mayBeDoor(folder, name)) return;
    this.#isChecking = true;
    this.check(false);
    setImmediate(() => {
      this.#isChecking = false;
      if (this.#running.size > 0) this.check(false);
    });
  }

  #prepare({ writable, entries, tidiesWorktrees = false, carried, isMade }: DoorRequest): PreparedDoors {
    const all = [...entries, ...this.#made];
    const git = { tidiesWorktrees, carried, isMade };
    const { readOnlyInside, mounted } = this.#repositories.protect(writable, all, git);
    const own = isMade ? undefined : (carried ?? this.#repositories.ownFolder());
    const roots = [...writable, ...(carried === undefined ? [] : this.ownFolders())];
    return { readOnlyInside, scope: { roots, entries, mounted, own } };
  }

  #keyOf(request: DoorRequest): string | undefined {
    const { writable, revision, tidiesWorktrees = false, carried, isMade } = request;
    if (revision === undefined) return undefined;
    const own = this.#repositories.ownFolder();
    const stamp = own === undefined ? '' : namesStamp(own, this.workspace);
    return [revision, this.#made.size, tidiesWorktrees, carried, isMade, own, stamp, ...writable].join('\0');
  }

  /** Tells of indexes that a command had left when its server was killed. */
  #remember(revision: number | undefined): readonly DoorFinding[] {
    const known = this.#known;
    const made = this.#made.size;
    const isSame = known?.revision === revision && known?.scope === this.#scope && known.made === made;
    if (revision !== undefined && isSame && this.#isUnchanged(known)) return [];
    const places = this.#places(this.#scope.mounted);
    const baseline = new DoorBaseline(places, this.#entries(), {
      workspace: this.workspace,
      own: this.#scope.own,
    });
    this.#known = { revision, scope: this.#scope, made, places, baseline };
    this.#links.remember(places);
    this.#watch(places);
    return this.#indexes.remember(places).map((door) => this.#closing.shut(door));
  }

  #isUnchanged({ baseline, places }: KnownDoors): boolean {
    return baseline.isUnchanged && this.#indexes.isUnchanged(places);
  }

  /** Nothing has happened to any door since nothing ran. */
  #isAsKnown(revision: number | undefined): boolean {
    const known = this.#known;
    return (
      revision !== undefined &&
      known?.revision === revision &&
      known.scope === this.#scope &&
      known.made === this.#made.size &&
      this.#isUnchanged(known)
    );
  }

  /** The folders in which a change is followed by a check. */
  #watch(places: readonly GitPlace[]): void {
    const around = this.#entries().map((entry) => (basename(entry) === '.git' ? dirname(entry) : entry));
    this.#watched = new Set([this.workspace, ...around, ...places.flatMap(foldersToWatch)]);
  }

  #entries(): readonly string[] {
    return [...new Set([...this.#scope.entries, ...this.#made])].filter(
      (entry) => this.#scope.own === undefined || entry !== join(this.workspace, '.git'),
    );
  }

  /** What was made since nothing ran is judged in full, also where it is read-only for a command that began later. */
  #places(mountedBefore = this.#known?.scope.mounted): readonly GitPlace[] {
    const mounted = [...this.#scope.mounted].filter((folder) => mountedBefore?.has(folder));
    return allPlaces(this.workspace, this.#entries(), { ...this.#scope, mounted: new Set(mounted) });
  }
}
