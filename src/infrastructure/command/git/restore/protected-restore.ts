import { lchownSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { isWithin } from '../../program/toolchains.js';
import type { Quarantine } from '../../workspace/quarantine.js';
import type { BlobNames } from '../blob-names.js';
import { isFolder, look } from '../git-files.js';
import type { ObjectReader } from '../object-reader.js';
import {
  entryFor,
  headOf,
  type Repository,
  repositoryAt,
  type SeenRepositories,
} from '../repository-head.js';
import type { FirstCommits } from './first-commits.js';
import { type HistorySide, LOG, listedSide, NO_FILE, sidesIn } from './history-sides.js';
import type { PassedCommits } from './passed-commits.js';
import { filesAt, isSameFile, type SavedFile, savedFile, saveFiles, writeSaved } from './saved-files.js';

export interface RestoreParts {
  readonly reader: ObjectReader;
  readonly names: BlobNames;
  readonly first: FirstCommits;
  readonly passed: PassedCommits;
  readonly quarantine: Quarantine;
}

/** Protected files that one git may write, as they were before it. */
export interface OpenedFiles {
  readonly paths: readonly string[];
  readonly saved: ReadonlyMap<string, SavedFile>;
  readonly seen: SeenRepositories;
}

/**
 * Lets git bring protected files to what the user's commits of before the session have, and nothing else: they are open while
 * git runs, and whatever differs afterwards from both, how it was and how such a commit has it, is put back.
 */
export class ProtectedRestore {
  constructor(private readonly parts: RestoreParts) {}

  /** undefined: too much to be kept, so that the files stay closed. */
  open(paths: readonly string[], seen: SeenRepositories): OpenedFiles | undefined {
    const inRepositories = paths.filter((path) => entryFor(path, seen.entries) !== undefined);
    const saved = saveFiles(inRepositories);
    return saved && { paths: inRepositories, saved, seen };
  }

  /** The files that were put back. */
  async settle({ paths, saved, seen }: OpenedFiles): Promise<readonly string[]> {
    const refused: string[] = [];
    for (const path of new Set([...saved.keys(), ...filesAt(paths)])) {
      const before = saved.get(path);
      const now = isReal(path) ? savedFile(path) : undefined;
      const isSame =
        before === undefined ? look(path) === undefined : isReal(path) && isSameFile(before, now);
      if (isSame || (await this.#isFirst(path, now, seen))) continue;
      this.#putBack(path, before, seen);
      refused.push(path);
    }
    return refused;
  }

  async #isFirst(path: string, now: SavedFile | undefined, seen: SeenRepositories): Promise<boolean> {
    if (now === undefined && look(path) !== undefined) return false;
    const entry = entryFor(path, seen.entries);
    // git has removed the whole worktree.
    if (entry !== undefined && look(dirname(entry)) === undefined) return true;
    const repository = entry === undefined ? undefined : repositoryAt(entry, seen.folders);
    if (repository === undefined) return false;
    return now === undefined ? this.#wasAbsent(path, repository) : this.#wasThere(path, now, repository);
  }

  /** Whether git may bring a file to this; undefined: away. */
  mayBring(path: string, blob: string | undefined, repository: Repository): Promise<boolean> {
    return blob === undefined
      ? this.#wasAbsent(path, repository)
      : this.#hadBlob(path, blob, '1[02]0\\d{3}', repository);
  }

  async #wasThere(path: string, now: SavedFile, repository: Repository): Promise<boolean> {
    const head = headOf(repository);
    const blob = head && (await this.parts.names.of(path, head));
    const mode = now.kind === 'link' ? '120000' : '100\\d{3}';
    return blob !== undefined && this.#hadBlob(path, blob, mode, repository);
  }

  async #hadBlob(path: string, blob: string, mode: string, repository: Repository): Promise<boolean> {
    const isMode = new RegExp(`^${mode}$`);
    const isIt = (side: HistorySide): boolean => side.blob === blob && isMode.test(side.mode);
    return this.#inHistory(path, repository, isIt, [`--find-object=${blob}`]);
  }

  /** Some commit of the user's lacks it. */
  #wasAbsent(path: string, repository: Repository): Promise<boolean> {
    return this.#inHistory(path, repository, ({ mode }) => mode === NO_FILE, ['--diff-filter=AD']);
  }

  /** Whether a commit of before the session that is the user's has the path so. */
  async #inHistory(
    path: string,
    repository: Repository,
    isIt: (side: HistorySide) => boolean,
    options: readonly string[],
  ): Promise<boolean> {
    const head = headOf(repository);
    const tips = this.parts.first.of(repository);
    if (head === undefined || tips.length === 0) return false;
    await this.parts.passed.refresh();
    const name = relative(repository.top, path);
    for (const tip of tips.filter((commit) => this.parts.passed.isUsers(commit))) {
      const listed = await this.parts.reader.ask(head, ['ls-tree', '-z', '--full-tree', tip, '--', name]);
      if (listed !== undefined && isIt(listedSide(listed))) return true;
    }
    const text = await this.parts.reader.ask(head, [...LOG, ...options, ...tips, '--', name]);
    return sidesIn(text ?? '').some((side) => this.parts.passed.isUsers(side.commit) && isIt(side));
  }

  /** What lies there now goes to the quarantine: it may be what the user has just saved. */
  #putBack(path: string, before: SavedFile | undefined, { folders }: SeenRepositories): void {
    const root = folders.find((folder) => isWithin(path, folder)) ?? dirname(path);
    if (before !== undefined) this.#makeFolders(dirname(path), root);
    if (isReal(path)) this.parts.quarantine.take(path);
    if (before !== undefined) writeSaved(path, before);
  }

  #makeFolders(folder: string, root: string): void {
    const missing: string[] = [];
    for (let path = folder; path !== root && isWithin(path, root); path = dirname(path))
      missing.unshift(path);
    for (const path of missing) {
      if (isFolder(path)) continue;
      this.parts.quarantine.take(path);
      mkdirSync(path);
      if (process.getuid?.() === 0) chownLike(path, dirname(path));
    }
  }
}

function chownLike(path: string, model: string): void {
  const stats = look(model);
  if (stats !== undefined) lchownSync(path, stats.uid, stats.gid);
}

/** Reached through no link. */
function isReal(path: string): boolean {
  try {
    return realpathSync(dirname(path)) === dirname(path);
  } catch {
    // A folder on the way is gone.
    return false;
  }
}
