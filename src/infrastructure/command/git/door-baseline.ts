import { basename, dirname, join } from 'node:path';
import { isWithin } from '../program/toolchains.js';
import { stampOf } from './blob-names.js';
import {
  type Door,
  type DoorProblem,
  type DoorView,
  doorsIn,
  hooksIn,
  judgeDoor,
  stateOf,
} from './git-door.js';
import { look } from './git-files.js';
import type { DoorScope, GitPlace } from './git-place.js';
import { hooksFolders, namedInside } from './named-files.js';

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

const FREE = { isMounted: false, common: undefined, isLookalike: false };

/** The workspace and its own git folder, whose settings may name files in it. */
export interface Surroundings {
  readonly workspace: string;
  readonly own: string | undefined;
}

/** The doors of some repositories at one moment; what is the same later was not made by a command. */
export class DoorBaseline {
  readonly #states: ReadonlyMap<string, string>;
  readonly #stamps: ReadonlyMap<string, string>;

  constructor(
    places: readonly GitPlace[],
    pointers: readonly string[],
    private readonly around: Surroundings,
  ) {
    const doors = allDoors(places, pointers, around).map(({ path }) => path);
    // Before they are read: a change in between is seen as one.
    this.#stamps = new Map(doors.map((path) => [path, stampAt(path)]));
    this.#states = new Map(doors.map((path) => [path, stateOf(path)]));
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
  open(places: readonly GitPlace[], pointers: readonly string[], view: DoorView): readonly OpenDoor[] {
    return allDoors(places, pointers, this.around).flatMap((door) => {
      const before = this.#states.get(door.path);
      if (before === undefined && door.kind === 'todo' && !view.isOver) return [];
      if (before === stateOf(door.path)) return [];
      const problem = judgeDoor(door, before, view);
      return problem === undefined ? [] : [openDoor(door, problem)];
    });
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
  { workspace, own }: Surroundings,
): readonly Door[] {
  return [
    ...places.flatMap(doorsIn),
    ...(own === undefined ? [] : openNames(own, workspace)),
    ...pointers
      .filter((path) => basename(path) === '.git' && look(path)?.isDirectory() === false)
      .map((path) => ({ path, kind: 'pointer' as const, place: { ...FREE, folder: dirname(path) } })),
  ];
}

/** What the user's settings name and cannot be mounted: it is not there yet, or it is the workspace itself. */
function openNames(own: string, workspace: string): readonly Door[] {
  const place = { ...FREE, folder: own };
  return [
    ...hooksFolders(own, workspace)
      .filter((folder) => isWithin(folder, workspace))
      .flatMap((folder) => hooksIn(folder, place)),
    ...namedInside(own, workspace)
      .filter((path) => look(path) !== undefined)
      .map((path) => ({ path, kind: 'named' as const, place })),
  ];
}
