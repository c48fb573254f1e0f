import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWithin } from '../program/toolchains.js';
import { Quarantine } from '../view/quarantine.js';
import { CommondirPlaceholder } from './commondir-placeholder.js';
import { DoorBaseline, type OpenDoor } from './door-baseline.js';
import { look } from './git-files.js';
import { GitLinks } from './git-links.js';
import { foldersToWatch, type GitPlace, ownPlaces, placesOf } from './git-place.js';
import type { GitProtection } from './git-protection.js';
import { ProtectedRepositories } from './protected-repositories.js';
import { OpenSettings, type SettingsFile } from './settings/open-settings.js';
import { type FolderWatch, isRelevant, watchFolders } from './watch-folders.js';

/** Something that would have run a program or led git elsewhere outside the sandbox, and what became of it. */
export interface DoorFinding {
  readonly path: string;
  /** A sentence for the answer. */
  readonly text: string;
  /** It was taken back, so that the command has failed. */
  readonly isRefusal?: boolean;
}

/** What commands can reach. */
export interface DoorScope {
  /** Folders that commands may write. */
  readonly roots: readonly string[];
  /** Repositories in them, as the walk found them: `.git` entries and folders that look like one. */
  readonly entries: readonly string[];
  /** Git folders whose configuration and hooks are mounted read-only. */
  readonly mounted: ReadonlySet<string>;
}

interface RunningCommand {
  readonly end: (why: string) => void;
  readonly findings: Map<string, DoorFinding>;
}

const NOTHING: DoorScope = { roots: [], entries: [], mounted: new Set() };

/**
 * Watches over the files that make git run something or look elsewhere. What exists is mounted read-only; what a
 * command makes is judged when it appears and again before the answer, and taken away where the user's next git
 * command would obey it.
 */
export class GitDoors {
  readonly #running = new Set<RunningCommand>();
  readonly #links = new GitLinks();
  readonly #knownLinks = new Set<string>();
  readonly #linkedPlaces = new Set<string>();
  readonly #made = new Set<string>();
  readonly #quarantine: Quarantine;
  readonly #repositories: ProtectedRepositories;
  readonly #placeholder: CommondirPlaceholder;
  #watch: FolderWatch | undefined;
  #scope = NOTHING;
  #baseline: DoorBaseline | undefined;
  /** Those that the command which is running may change. */
  #settings: OpenSettings | undefined;

  constructor(
    private readonly workspace: string,
    stateFolder: string,
  ) {
    this.#repositories = new ProtectedRepositories(workspace);
    this.#quarantine = new Quarantine(join(stateFolder, 'quarantine'));
    this.#placeholder = new CommondirPlaceholder(join(stateFolder, 'git-placeholders'));
  }

  /** What to mount for the next command, and what to watch over while it runs. */
  prepare(
    writable: readonly string[],
    entries: readonly string[],
    tidiesWorktrees = false,
  ): { readonly protection: GitProtection; readonly scope: DoorScope } {
    const all = [...entries, ...this.#made];
    const { own, nested, mounted } = this.#repositories.protect(writable, all, tidiesWorktrees);
    const roots = [
      ...writable,
      ...(writable.some((root) => isWithin(this.workspace, root)) ? own.write : []),
    ];
    return {
      protection: { write: own.write, readOnlyInside: [...own.readOnlyInside, ...nested] },
      scope: { roots, entries, mounted },
    };
  }

  /** The workspace's own repository. */
  ownRepository(): GitProtection {
    return this.#repositories.own();
  }

  close(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }

  /** The folders in which a change should be followed by a check. */
  folders(): readonly string[] {
    const around = this.#entries().map((entry) => (basename(entry) === '.git' ? dirname(entry) : entry));
    return [...new Set([this.workspace, ...around, ...this.#places().flatMap(foldersToWatch)])];
  }

  /**
   * To be called before a command starts; `end` ends it. The function returned is called when nothing of the command
   * is left, with the repositories that appeared meanwhile, and tells what was found.
   */
  begin(
    scope: DoorScope,
    end: (why: string) => void,
    settings: readonly SettingsFile[] = [],
  ): (appeared: readonly string[]) => readonly DoorFinding[] {
    this.#scope = scope;
    const places = this.#places();
    // What a command that is still running has made must not become part of what was there before.
    if (this.#running.size === 0) {
      this.#baseline = new DoorBaseline(places, this.#entries(), this.workspace);
      this.#rememberLinks(places);
    }
    this.#settings = settings.length === 0 ? undefined : new OpenSettings(settings, this.#quarantine);
    const command: RunningCommand = { end, findings: new Map() };
    this.#running.add(command);
    const held = places.filter(({ isMounted }) => isMounted).map(({ folder }) => folder);
    for (const folder of held) this.#placeholder.hold(folder);
    this.#watch ??= watchFolders((folder, name) => this.#onEvent(folder, name));
    this.#watch.follow(this.folders());
    return (appeared) => {
      for (const entry of appeared) this.#made.add(entry);
      this.#running.delete(command);
      for (const finding of this.check(true)) command.findings.set(finding.path, finding);
      this.#settings = undefined;
      for (const folder of held) this.#placeholder.release(folder);
      return [...command.findings.values()];
    };
  }

  /** `isOver`: a command has ended, so that what it left is judged in full. */
  check(isOver: boolean): readonly DoorFinding[] {
    const places = this.#places();
    const close = (door: OpenDoor): DoorFinding => this.#close(door);
    // First, and at once: with its own repository whole, git looks at no other.
    const repaired = (this.#baseline?.broken(places) ?? []).map(close);
    const view = { workspace: this.workspace, roots: this.#scope.roots, isOver };
    const open = this.#baseline?.open(places, this.#entries(), view) ?? [];
    const settings = this.#settings?.judge(isOver) ?? [];
    const findings = [
      ...settings,
      ...repaired,
      ...[...open, ...(isOver ? this.#newLinks(places) : [])].map(close),
    ];
    for (const command of this.#running) {
      for (const finding of findings) command.findings.set(finding.path, finding);
      if (findings[0] !== undefined) command.end(findings[0].text);
    }
    return findings;
  }

  #onEvent(folder: string, name: string | null): void {
    if (this.#running.size === 0 || !isRelevant(folder, name)) return;
    // Watched first, then looked at: what comes in between makes another event.
    this.#watch?.follow(this.folders());
    this.check(false);
  }

  #entries(): readonly string[] {
    return [...new Set([...this.#scope.entries, ...this.#made])];
  }

  #places(): readonly GitPlace[] {
    const { mounted, roots } = this.#scope;
    const own = join(this.workspace, '.git');
    const nested = [...this.#entries().filter((entry) => entry !== own), this.workspace];
    const places = new Map<string, GitPlace>();
    const found = [
      ...ownPlaces(this.workspace, mounted),
      ...nested.flatMap((entry) => placesOf(entry, mounted, roots)),
    ];
    // The first that names a folder knows it best: the repository that it belongs to.
    for (const place of found) if (!places.has(place.folder)) places.set(place.folder, place);
    return [...places.values()].filter(({ folder }) => roots.some((root) => isWithin(folder, root)));
  }

  #rememberLinks(places: readonly GitPlace[]): void {
    for (const { folder, isLookalike } of places) {
      if (isLookalike || this.#linkedPlaces.has(folder)) continue;
      this.#linkedPlaces.add(folder);
      for (const link of this.#links.in(folder)) this.#knownLinks.add(link);
    }
  }

  #newLinks(places: readonly GitPlace[]): readonly OpenDoor[] {
    const why = 'is a link, through which git would read or write another file';
    return places
      .filter(({ isLookalike }) => !isLookalike)
      .flatMap(({ folder }) => this.#links.in(folder).map((path) => ({ path, folder })))
      .filter(({ path }) => !this.#knownLinks.has(path) && look(path)?.isSymbolicLink())
      .map(({ path, folder }) => ({ path, taken: path, owner: folder, why, instead: undefined }));
  }

  #close(door: OpenDoor): DoorFinding {
    const { path, taken, owner, why, instead } = door;
    try {
      const kept = this.#quarantine.take(taken);
      if (instead !== undefined) this.#quarantine.put(taken, instead, owner);
      else if (isPart(path)) mkdirSync(path);
      const isPutBack = instead !== undefined || isPart(path);
      return { path, text: sentence(door, kept, isPutBack) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { path, text: `${path} ${why}. It could not be taken away: ${reason}.` };
    }
  }
}

/** Without these folders git would not take the repository for one. */
function isPart(path: string): boolean {
  return ['objects', 'refs'].includes(basename(path));
}

function sentence({ path, taken, why }: OpenDoor, kept: string | undefined, isPutBack: boolean): string {
  const moved = taken === path ? 'It is' : `${taken}, without which git ignores that folder, is`;
  return [
    `${path} ${why}.`,
    ...(kept === undefined ? [] : [`${moved} now in ${kept}.`]),
    ...(isPutBack ? ['What git needs there was put back.'] : []),
  ].join(' ');
}
