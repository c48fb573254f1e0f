import type { Stats } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isWithin } from '../program/toolchains.js';
import { type BlobNames, stampOf } from './blob-names.js';
import { look } from './git-files.js';
import type { ObjectReader, ObjectStore } from './object-reader.js';
import { headOf, type Repository, repositoryAt } from './repository-head.js';

/** The `.git` entries in a view, and the folders that it shows. */
export interface SeenRepositories {
  readonly entries: readonly string[];
  readonly folders: readonly string[];
}

const MAX_FILES = 2_000;
const MAX_KEPT = 10_000;
/** A file that git is writing has its whole content a moment later. */
const TRIES_MS = [0, 3, 10, 20];

/**
 * Files that are secret by their name, and whose content a command can read from the repository anyway. Only the
 * content counts: a commit that an agent makes can name a file, but not bring another one's content with it.
 */
export class TrackedSecrets {
  /** What HEAD has under a path, by commit. */
  readonly #listed = new Map<string, string | undefined>();
  /** Files as a command left them that could read and write them. */
  readonly #open = new Set<string>();

  constructor(
    private readonly reader: ObjectReader,
    private readonly names: BlobNames,
  ) {}

  /** Those of the files that need no mask: HEAD of their repository has them as they are, or a command left them so. */
  async open(files: readonly string[], seen: SeenRepositories): Promise<ReadonlySet<string>> {
    const open = new Set<string>();
    const groups = new Map<string, string[]>();
    for (const path of files.slice(0, MAX_FILES)) {
      const stats = look(path);
      if (!isPlain(stats)) continue;
      const entry = entryFor(path, seen.entries);
      if (this.#open.has(stampOf(stats))) open.add(path);
      else if (entry !== undefined) groups.set(entry, [...(groups.get(entry) ?? []), path]);
    }
    for (const [entry, paths] of groups) {
      const repository = repositoryAt(entry, seen.folders);
      if (repository !== undefined)
        for (const path of await this.#asInHead(repository, paths)) open.add(path);
    }
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
      if (hash !== undefined && (await this.reader.ask(head, ['cat-file', '-e', hash])) !== undefined)
        return true;
    }
    return false;
  }

  /** A command that could read these has ended: as they are now, they hold nothing that it did not know. */
  leftBy(paths: Iterable<string>): void {
    if (this.#open.size > MAX_KEPT) this.#open.clear();
    for (const path of paths) {
      const stats = look(path);
      if (isPlain(stats)) this.#open.add(stampOf(stats));
    }
  }

  async #asInHead(repository: Repository, paths: readonly string[]): Promise<readonly string[]> {
    const head = headOf(repository);
    if (head === undefined) return [];
    const keyOf = (path: string): string => `${head.objects}\0${head.commit}\0${path}`;
    const unknown = paths.filter((path) => !this.#listed.has(keyOf(path)));
    if (unknown.length > 0) {
      const names = new Map(unknown.map((path) => [relative(repository.top, path), path]));
      const args = ['ls-tree', '-z', '--full-tree', head.commit, '--', ...names.keys()];
      const text = await this.reader.ask(head, args);
      if (text === undefined) return [];
      if (this.#listed.size > MAX_KEPT) this.#listed.clear();
      for (const path of unknown) this.#listed.set(keyOf(path), undefined);
      for (const [name, hash] of blobsIn(text)) {
        const path = names.get(name);
        if (path !== undefined) this.#listed.set(keyOf(path), hash);
      }
    }
    const open: string[] = [];
    for (const path of paths) {
      const hash = this.#listed.get(keyOf(path));
      if (hash !== undefined && hash === (await this.#nameOf(path, head))) open.push(path);
    }
    return open;
  }

  async #nameOf(path: string, store: ObjectStore): Promise<string | undefined> {
    return isPlain(look(path)) ? this.names.of(path, store) : undefined;
  }
}

/** A second name may lie where another rule hides it. */
function isPlain(stats: Stats | undefined): stats is Stats {
  return stats?.isFile() === true && stats.nlink === 1;
}

/** The innermost repository around a path. */
export function entryFor(path: string, entries: readonly string[]): string | undefined {
  const around = entries.filter(
    (entry) => entry.endsWith('/.git') && isWithin(path, entry.slice(0, -'/.git'.length)),
  );
  return around.reduce<string | undefined>(
    (best, entry) => (best === undefined || entry.length > best.length ? entry : best),
    undefined,
  );
}

function blobsIn(text: string): readonly (readonly [string, string])[] {
  return text.split('\0').flatMap((line) => {
    const match = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line);
    return match?.[1] === undefined || match[2] === undefined ? [] : [[match[2], match[1]] as const];
  });
}
