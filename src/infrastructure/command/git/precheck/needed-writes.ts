import { join, relative, resolve } from 'node:path';
import type { GitMove } from '../../../../application/ports/command/command-runner.js';
import { isWithin } from '../../program/toolchains.js';
import type { BlobNames } from '../blob-names.js';
import { look } from '../git-files.js';
import type { IndexEntries } from '../index-entries.js';
import type { ObjectReader } from '../object-reader.js';
import { headOf, type Repository, type RepositoryHead } from '../repository-head.js';
import { commitNamed } from './commit-names.js';

export interface WriteParts {
  readonly reader: ObjectReader;
  readonly names: BlobNames;
  readonly indexes: IndexEntries;
}

/** A file that git would bring to another content. */
export interface NeededWrite {
  readonly path: string;
  /** What it would be brought to; undefined: it would be removed; 'merged': what comes of it nobody knows before. */
  readonly blob: string | 'merged' | undefined;
}

/** By path in the repository: the names of blobs. */
type Tree = ReadonlyMap<string, string>;

const RAW = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]$/;
const NOTHING = /^0+$/;

/**
 * Which of these files a line of git must write to end as it says. Only what is certain is told: where git itself would
 * refuse because of changes that are not committed, nothing is, since git refuses before it touches anything.
 */
export class NeededWrites {
  constructor(private readonly parts: WriteParts) {}

  /** `paths`: absolute, files and folders. */
  async of(
    move: GitMove,
    repository: Repository,
    paths: readonly string[],
    folder: string,
  ): Promise<readonly NeededWrite[]> {
    const head = headOf(repository);
    if (head === undefined || paths.length === 0) return [];
    const names = paths.map((path) => relative(repository.top, path));
    const { target } = move;
    const commit =
      target === undefined ? undefined : await commitNamed(repository, target, this.parts.reader);
    if (move.kind === 'paths') return this.#ofPaths(move, { repository, head, names, commit }, folder);
    if (commit === undefined) return [];
    if (move.kind === 'reset')
      return this.#ofTree(repository, head, await this.#tree(head, commit, names), names);
    const [base, end] = await this.#ends(move.kind, head, commit);
    if (base === undefined || end === undefined) return [];
    const changed = await this.#diff(head, base, end, names);
    if (changed.size === 0) return [];
    const ours = await this.#tree(head, head.commit, names);
    const isRefused = await this.#isRefused(move.kind, repository, head, [base, end]);
    if (isRefused) return [];
    return [...changed].flatMap(([name, blob]) => {
      const path = join(repository.top, name);
      const wanted = NOTHING.test(blob) ? undefined : blob;
      if (ours.get(name) === wanted || look(path) === undefined) return [];
      return [{ path, blob: base === head.commit ? wanted : 'merged' }];
    });
  }

  /** The two commits between which files change. */
  async #ends(
    kind: GitMove['kind'],
    head: RepositoryHead,
    commit: string,
  ): Promise<readonly [string | undefined, string | undefined]> {
    const parent = async (): Promise<string | undefined> =>
      (await this.parts.reader.ask(head, ['rev-parse', '--verify', '-q', `${commit}^1`]))?.trim();
    switch (kind) {
      case 'pick':
      case 'unstash':
        return [await parent(), commit];
      case 'revert':
        return [commit, await parent()];
      case 'merge':
      case 'rebase': {
        const base = (await this.parts.reader.ask(head, ['merge-base', head.commit, commit]))?.trim();
        if (base === commit) return [undefined, undefined];
        return [kind === 'rebase' ? head.commit : base, commit];
      }
      default:
        return [head.commit, commit];
    }
  }

  /** git does not begin where it would lose changes. */
  async #isRefused(
    kind: GitMove['kind'],
    repository: Repository,
    head: RepositoryHead,
    [base, end]: readonly [string, string],
  ): Promise<boolean> {
    const index = join(repository.own, 'index');
    const list = async (args: readonly string[]): Promise<readonly string[]> =>
      ((await this.parts.reader.ask(head, args, { index, top: repository.top })) ?? '')
        .split('\0')
        .filter((name) => name !== '');
    const staged = await list(['diff-index', '--cached', '--name-only', '-z', head.commit]);
    // Never into submodules: git would run there with their settings.
    const dirty = await list(['diff-files', '--ignore-submodules=all', '--name-only', '-z']);
    if (kind === 'rebase') return staged.length + dirty.length > 0;
    if (kind !== 'switch' && kind !== 'unstash' && staged.length > 0) return true;
    const changed = new Set(await list(['diff-tree', '-r', '-z', '--name-only', '--no-renames', base, end]));
    if ([...staged, ...dirty].some((name) => changed.has(name))) return true;
    const known = new Set(await list(['ls-files', '-z']));
    return [...changed].some((name) => !known.has(name) && look(join(repository.top, name)) !== undefined);
  }

  async #ofPaths(
    { target, paths = [] }: GitMove,
    at: {
      readonly repository: Repository;
      readonly head: RepositoryHead;
      readonly names: readonly string[];
      readonly commit: string | undefined;
    },
    folder: string,
  ): Promise<readonly NeededWrite[]> {
    const { repository, head, names, commit } = at;
    // A first word that is no commit is a path like the others.
    const chosen = commit === undefined && target !== undefined ? [target, ...paths] : paths;
    if (chosen.some((path) => /[*?[:]/.test(path))) return [];
    const wanted = chosen.map((path) => resolve(folder, path));
    const source =
      commit === undefined ? await this.#index(repository, names) : await this.#tree(head, commit, names);
    const picked = new Map(
      [...source].filter(([name]) => wanted.some((path) => isWithin(join(repository.top, name), path))),
    );
    return this.#ofTree(repository, head, picked, []);
  }

  /** Those that are not as the tree has them, and those of `names` in the index that it does not have. */
  async #ofTree(
    repository: Repository,
    head: RepositoryHead,
    tree: Tree,
    names: readonly string[],
  ): Promise<readonly NeededWrite[]> {
    const needed: NeededWrite[] = [];
    for (const [name, blob] of tree) {
      const path = join(repository.top, name);
      if (look(path) === undefined) continue;
      if ((await this.parts.names.of(path, head)) !== blob) needed.push({ path, blob });
    }
    for (const name of (await this.#index(repository, names)).keys()) {
      const path = join(repository.top, name);
      if (!tree.has(name) && look(path) !== undefined) needed.push({ path, blob: undefined });
    }
    return needed;
  }

  async #index(repository: Repository, names: readonly string[]): Promise<Tree> {
    const paths = names.map((name) => join(repository.top, name));
    const entries = await this.parts.indexes.of(repository, paths);
    return new Map(
      [...entries].flatMap(([name, { blobs }]) => (/^0 \S+$/.test(blobs) ? [[name, blobs.slice(2)]] : [])),
    );
  }

  async #tree(head: RepositoryHead, commit: string, names: readonly string[]): Promise<Tree> {
    const text = await this.parts.reader.ask(head, [
      'ls-tree',
      '-r',
      '-z',
      '--full-tree',
      commit,
      '--',
      ...names,
    ]);
    const lines = (text ?? '').split('\0').map((line) => /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line));
    return new Map(lines.flatMap((match) => (match === null ? [] : [[match[2] ?? '', match[1] ?? '']])));
  }

  async #diff(head: RepositoryHead, base: string, end: string, names: readonly string[]): Promise<Tree> {
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', base, end, '--', ...names];
    const words = ((await this.parts.reader.ask(head, args)) ?? '').split('\0');
    const changed = new Map<string, string>();
    for (let index = 0; index + 1 < words.length; index += 2) {
      const blob = RAW.exec(words[index] ?? '')?.[1];
      if (blob !== undefined) changed.set(words[index + 1] ?? '', blob);
    }
    return changed;
  }
}
