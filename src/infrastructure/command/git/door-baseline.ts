import { basename, dirname, join } from 'node:path';
import { stampOf } from './blob-names.js';
import type { DoorScope } from './door-watch.js';
import {
  type Door,
  type DoorProblem,
  doorsIn,
  hooksIn,
  judgeDoor,
  missingParts,
  stateOf,
  textIn,
} from './git-door.js';
import { look } from './git-files.js';
import type { GitPlace } from './git-place.js';
import { hooksFolders } from './named-files.js';

/** The doors as they were found when nothing ran that could change them. */
export interface KnownDoors {
  readonly revision: number | undefined;
  readonly scope: DoorScope;
  readonly made: number;
  readonly places: readonly GitPlace[];
  readonly baseline: DoorBaseline;
}

/** A door that must be closed: taken away, and replaced by a harmless text where there is one. */
export interface OpenDoor {
  readonly why: string;
  /** What belongs there; undefined: nothing does. */
  readonly instead: DoorProblem['instead'] | Uint8Array;
  readonly path: string;
  /** What is taken away: the file itself, or the one that makes git believe in the folder. */
  readonly taken: string;
  readonly owner: string;
}

const FREE = { isMounted: false, common: undefined, isOwn: false, isLookalike: false };

/** The doors of some repositories at one moment; what is the same later was not made by a command. */
export class DoorBaseline {
  readonly #states: ReadonlyMap<string, string>;
  readonly #own: ReadonlySet<string>;
  readonly #missing: ReadonlySet<string>;
  readonly #heads: ReadonlyMap<string, string>;
  readonly #stamps: ReadonlyMap<string, string>;

  constructor(places: readonly GitPlace[], pointers: readonly string[], workspace: string) {
    const doors = allDoors(places, pointers, workspace).map(({ path }) => path);
    const heads = places.filter(({ isOwn }) => isOwn).map(({ folder }) => join(folder, 'HEAD'));
    // Before they are read: a change in between is seen as one.
    this.#stamps = new Map([...doors, ...heads].map((path) => [path, stampAt(path)]));
    this.#states = new Map(doors.map((path) => [path, stateOf(path)]));
    const own = places.filter(({ isOwn }) => isOwn).map(({ folder }) => folder);
    this.#own = new Set(own);
    this.#missing = new Set(own.flatMap(missingParts));
    this.#heads = new Map(own.map((folder) => [join(folder, 'HEAD'), stateOf(join(folder, 'HEAD'))]));
  }

  /**
   * Whether every file is as it was, where no name has come or gone since. What is written into a mapped file changes
   * its time and nothing else. False where a file was so young that it could have changed without another time.
   */
  get isUnchanged(): boolean {
    for (const [path, stamp] of this.#stamps) if (stamp === YOUNG || stampAt(path) !== stamp) return false;
    return true;
  }

  /** `isOver`: nothing of the command is left, so that a rebase that it began will not go on by itself. */
  open(
    places: readonly GitPlace[],
    pointers: readonly string[],
    {
      workspace,
      roots,
      isOver,
    }: { readonly workspace: string; readonly roots: readonly string[]; readonly isOver: boolean },
  ): readonly OpenDoor[] {
    return allDoors(places, pointers, workspace).flatMap((door) => {
      const before = this.#states.get(door.path);
      if (before === undefined && door.kind === 'todo' && !isOver) return [];
      if (before === stateOf(door.path)) return [];
      const problem = judgeDoor(door, before, { roots, isOver });
      return problem === undefined ? [] : [openDoor(door, problem)];
    });
  }

  /** Parts of the workspace's own repository without which git would look for another one; one that a command makes has none yet. */
  broken(places: readonly GitPlace[]): readonly OpenDoor[] {
    const own = places.filter(({ isOwn, folder }) => isOwn && this.#own.has(folder));
    const why = 'was removed or made unreadable, so that git would look for another repository';
    return own.flatMap(({ folder }) =>
      missingParts(folder)
        .filter((path) => !this.#missing.has(path))
        .map((path) => ({ path, taken: path, owner: folder, why, instead: textIn(this.#heads.get(path)) })),
    );
  }
}

const YOUNG = 'young';
/** The kernel stamps changes with a clock that lags behind a little. */
const CLOCK_LAG_MS = 50;

function stampAt(path: string): string {
  const stats = look(path);
  if (stats === undefined) return 'nothing';
  return Date.now() - stats.ctimeMs > CLOCK_LAG_MS ? stampOf(stats) : YOUNG;
}

function openDoor({ path, place }: Door, problem: DoorProblem): OpenDoor {
  const taken = place.isLookalike ? join(place.folder, 'HEAD') : path;
  return { ...problem, path, taken, owner: place.folder, ...(taken !== path && { instead: undefined }) };
}

function allDoors(
  places: readonly GitPlace[],
  pointers: readonly string[],
  workspace: string,
): readonly Door[] {
  return [
    ...places.flatMap(doorsIn),
    ...places.filter(({ isOwn }) => isOwn).flatMap((place) => openHooks(place, workspace)),
    ...pointers
      .filter((path) => basename(path) === '.git' && look(path)?.isDirectory() === false)
      .map((path) => ({ path, kind: 'pointer' as const, place: { ...FREE, folder: dirname(path) } })),
  ];
}

/** Hooks in a folder that cannot be mounted: it is not there yet, or it is the workspace itself. */
function openHooks(place: GitPlace, workspace: string): readonly Door[] {
  return hooksFolders(place.folder, workspace)
    .filter((folder) => folder === workspace || folder.startsWith(`${workspace}/`))
    .flatMap((folder) => hooksIn(folder, { ...FREE, folder: place.folder }));
}
