import { join } from 'node:path';
import type { MovedHead } from '../../../application/ports/command/command-runner.js';
import { isWithin } from '../program/toolchains.js';
import { type BlobNames, stampOf } from './blob-names.js';
import { look } from './git-files.js';
import { firstLine } from './git-pointers.js';
import type { IndexEntries } from './index-entries.js';
import { entryFor, headOf, type Repository, repositoryAt, type SeenRepositories } from './repository-head.js';

/** What git has in its index of files that commands cannot write, and what lies on the disk. */
interface GuardedState {
  readonly repository: Repository;
  readonly head: string | undefined;
  /** As HEAD says it, where it names a branch. */
  readonly branch: string | undefined;
  readonly guarded: readonly string[];
  /** By path in the repository: stages and names of blobs. */
  readonly index: ReadonlyMap<string, string>;
  readonly stamps: ReadonlyMap<string, string | undefined>;
}

export type GuardedStates = ReadonlyMap<string, GuardedState>;

/** Files of which git says something else now than what lies there. */
export interface LeftBehind {
  /** Absolute. */
  readonly path: string;
  /** git took another version of it while the command ran. */
  readonly moved: boolean;
}

export interface GuardedDifference {
  readonly files: readonly LeftBehind[];
  readonly head: MovedHead | undefined;
}

const BRANCH = /^ref: refs\/heads\/(\S+)$/;
const MAX_GUARDED = 1_000;

/**
 * Finds out where git moved on and a file that commands cannot write did not: git tells that by a line among others
 * and goes on, and the next commit would take the change back.
 */
export class GuardedFiles {
  constructor(
    private readonly indexes: IndexEntries,
    private readonly names: BlobNames,
  ) {}

  async record(guarded: readonly string[], seen: SeenRepositories): Promise<GuardedStates> {
    const groups = new Map<string, string[]>();
    for (const path of guarded.slice(0, MAX_GUARDED)) {
      const entry = entryFor(path, seen.entries);
      if (entry !== undefined && !isWithin(path, entry))
        groups.set(entry, [...(groups.get(entry) ?? []), path]);
    }
    const states = new Map<string, GuardedState>();
    for (const [entry, paths] of groups) {
      const repository = repositoryAt(entry, seen.folders);
      if (repository !== undefined) states.set(entry, await this.#state(repository, paths));
    }
    return states;
  }

  async compare(before: GuardedStates): Promise<GuardedDifference> {
    const files: LeftBehind[] = [];
    let head: GuardedDifference['head'];
    for (const known of before.values()) {
      const now = await this.#state(known.repository, known.guarded);
      const left = await this.#leftBehind(known, now);
      files.push(...left);
      if (left.length > 0 && known.head !== undefined && now.head !== undefined && known.head !== now.head)
        head ??= {
          before: known.head,
          after: now.head,
          branch: known.branch === now.branch ? undefined : known.branch,
        };
    }
    return { files, head };
  }

  async #state(repository: Repository, guarded: readonly string[]): Promise<GuardedState> {
    const entries = await this.indexes.of(repository, guarded);
    const index = new Map([...entries].map(([name, { blobs }]) => [name, blobs]));
    const paths = [...index.keys()].map((name) => join(repository.top, name));
    const stamps = new Map([...guarded, ...paths].map((path) => [path, stampAt(path)]));
    const branch = BRANCH.exec(firstLine(join(repository.own, 'HEAD')) ?? '')?.[1];
    return { repository, head: headOf(repository)?.commit, branch, guarded, index, stamps };
  }

  async #leftBehind(before: GuardedState, now: GuardedState): Promise<readonly LeftBehind[]> {
    const head = headOf(now.repository);
    if (head === undefined) return [];
    const left: LeftBehind[] = [];
    for (const name of new Set([...before.index.keys(), ...now.index.keys()])) {
      const path = join(now.repository.top, name);
      const moved = before.index.get(name) !== now.index.get(name);
      // What has changed on the disk was written after all, by git or by somebody who could.
      if (before.stamps.has(path) && before.stamps.get(path) !== stampAt(path)) continue;
      const isThere = look(path) !== undefined;
      if (!before.stamps.has(path) && isThere) continue;
      const content = isThere ? await this.names.of(path, head) : undefined;
      const expected = now.index.get(name);
      const isSame = expected === undefined ? !isThere : expected === `0 ${content}`;
      if (!isSame) left.push({ path, moved });
    }
    return left;
  }
}

function stampAt(path: string): string | undefined {
  const stats = look(path);
  return stats === undefined || stats.isDirectory() ? undefined : stampOf(stats);
}
