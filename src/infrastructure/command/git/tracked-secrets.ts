import type { Stats } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TrackedFiles } from '../workspace/tracked-files.js';
import { type BlobNames, stampOf } from './blob-names.js';
import { look } from './git-files.js';
import type { IndexEntries } from './index-entries.js';
import type { ObjectReader, ObjectStore } from './object-reader.js';
import {
  entryFor,
  headOf,
  type Repository,
  type RepositoryHead,
  repositoryAt,
  type SeenRepositories,
} from './repository-head.js';

const MAX_FILES = 2_000;
const MAX_KEPT = 10_000;
/** A file that git is writing has its whole content a moment later. */
const TRIES_MS = [0, 3, 10, 20];

export interface TrackedParts {
  readonly reader: ObjectReader;
  readonly names: BlobNames;
  readonly indexes: IndexEntries;
}

/**
 * Files that are secret by their name, and that a repository tracks. Where HEAD or the index has their content, a
 * command can read it there anyway. A path alone opens nothing: a commit that an agent makes can name a file, but not
 * bring another one's content with it, and what the user writes into a tracked secret is the user's until it is committed.
 */
export class TrackedSecrets implements TrackedFiles {
  /** What HEAD has under a path, by commit. */
  readonly #listed = new Map<string, string | undefined>();
  /** Files as a command left them that could read and write them. */
  readonly #open = new Set<string>();
  /** Files as they were hidden from a command: another one that ran meanwhile does not open them by ending. */
  readonly #hidden = new Set<string>();
  constructor(private readonly parts: TrackedParts) {}

  /** Those of the files that need no mask: their repository has them as they are, or a command left them so. */
  async open(files: readonly string[], seen: SeenRepositories): Promise<ReadonlySet<string>> {
    const open = new Set<string>();
    const groups = new Map<string, string[]>();
    const stamps = new Map<string, string>();
    for (const path of files.slice(0, MAX_FILES)) {
      const stats = look(path);
      if (!isPlain(stats)) continue;
      const entry = entryFor(path, seen.entries);
      const stamp = stampOf(stats);
      stamps.set(path, stamp);
      if (this.#open.has(stamp)) open.add(path);
      else if (entry !== undefined) groups.set(entry, [...(groups.get(entry) ?? []), path]);
    }
    for (const [entry, paths] of groups) {
      const repository = repositoryAt(entry, seen.folders);
      const head = repository && headOf(repository);
      if (repository === undefined || head === undefined) continue;
      const inHead = await this.#inHead(repository, head, paths);
      const edited: string[] = [];
      for (const [path, hash] of inHead) {
        if (hash !== undefined && hash === (await this.#nameOf(path, head))) open.add(path);
        else edited.push(path);
      }
      for (const path of await this.#inIndex(repository, head, edited)) open.add(path);
    }
    if (this.#hidden.size > MAX_KEPT) this.#hidden.clear();
    for (const [path, stamp] of stamps) if (!open.has(path)) this.#hidden.add(stamp);
    return open;
  }

  /** Whether a file that has just appeared holds what the repository's objects hold. It may still be written. */
  async isStored(path: string, seen: SeenRepositories): Promise<boolean> {
    const entry = entryFor(path, seen.entries);
    const repository = entry === undefined ? undefined : repositoryAt(entry, seen.folders);
    const head = repository && headOf(repository);
    if (head === undefined) return false;
    for (const delay of TRIES_MS) {
      if (delay > 0) await sleep(delay);
      const hash = await this.#nameOf(path, head);
      if (hash !== undefined && (await this.parts.reader.ask(head, ['cat-file', '-e', hash])) !== undefined)
        return true;
    }
    return false;
  }

  /**
   * A command that could read and write these has ended: as they are now, they hold nothing that it did not know. Not what
   * was hidden from another one meanwhile: the user had edited that.
   */
  leftBy(paths: Iterable<string>): void {
    if (this.#open.size > MAX_KEPT) this.#open.clear();
    for (const path of paths) {
      const stats = look(path);
      const stamp = isPlain(stats) ? stampOf(stats) : undefined;
      if (stamp !== undefined && !this.#hidden.has(stamp)) this.#open.add(stamp);
    }
  }

  /** What HEAD has under these paths; undefined: nothing, or git did not say. */
  async #inHead(
    repository: Repository,
    head: RepositoryHead,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, string | undefined>> {
    const keyOf = (path: string): string => `${head.objects}\0${head.commit}\0${path}`;
    const unknown = paths.filter((path) => !this.#listed.has(keyOf(path)));
    if (unknown.length > 0) {
      const names = new Map(unknown.map((path) => [relative(repository.top, path), path]));
      const args = ['ls-tree', '-z', '--full-tree', head.commit, '--', ...names.keys()];
      const text = await this.parts.reader.ask(head, args);
      if (text === undefined) return new Map(paths.map((path) => [path, undefined]));
      if (this.#listed.size > MAX_KEPT) this.#listed.clear();
      for (const path of unknown) this.#listed.set(keyOf(path), undefined);
      for (const [name, hash] of blobsIn(text)) {
        const path = names.get(name);
        if (path !== undefined) this.#listed.set(keyOf(path), hash);
      }
    }
    return new Map(paths.map((path) => [path, this.#listed.get(keyOf(path))]));
  }

  /** Those whose content the index has. */
  async #inIndex(
    repository: Repository,
    head: RepositoryHead,
    edited: readonly string[],
  ): Promise<readonly string[]> {
    if (edited.length === 0) return [];
    const index = await this.parts.indexes.of(repository, edited);
    const open: string[] = [];
    for (const path of edited) {
      const entry = index.get(relative(repository.top, path));
      if (entry !== undefined && entry.blobs === `0 ${await this.#nameOf(path, head)}`) open.push(path);
    }
    return open;
  }

  async #nameOf(path: string, store: ObjectStore): Promise<string | undefined> {
    return isPlain(look(path)) ? this.parts.names.of(path, store) : undefined;
  }
}

/** A second name may lie where another rule hides it. */
function isPlain(stats: Stats | undefined): stats is Stats {
  return stats?.isFile() === true && stats.nlink === 1;
}

function blobsIn(text: string): readonly (readonly [string, string])[] {
  return text.split('\0').flatMap((line) => {
    const match = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line);
    return match?.[1] === undefined || match[2] === undefined ? [] : [[match[2], match[1]] as const];
  });
}
