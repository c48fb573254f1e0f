import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readForeignFileSync, strictUtf8 } from '../../state/foreign-file.js';
import { isWithin } from '../program/toolchains.js';
import type { MatchedPath } from './matched-paths.js';
import type { TrackedFiles } from './tracked-files.js';
import type { WatchedTree } from './watched-tree.js';

interface Folders {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

interface Asked {
  readonly revision: number | undefined;
  readonly folders: string;
  readonly stored: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * What a tree hides, and what of it stays open. Worked out anew only where the tree has changed: what a command costs must not
 * grow with the number of secrets.
 */
export class HiddenFiles {
  readonly #candidates = new Remembered<readonly string[]>();
  readonly #shipped = new Remembered<readonly string[]>();
  readonly #hidden = new Remembered<readonly string[]>();
  readonly #servers = new Remembered<readonly string[]>();
  readonly #pinned = new Remembered<readonly string[]>();
  #open = NONE;
  /** When all files were asked about, and the answer. */
  #asked: Asked | undefined;

  constructor(
    private readonly tree: WatchedTree,
    private readonly tracked: TrackedFiles,
  ) {}

  /** Files that are secret by their names and shown all the same. The same set as before where it holds the same. */
  async open({ read, write }: Folders): Promise<ReadonlySet<string>> {
    const stored = await this.#stored([...read, ...write]);
    const shipped = this.#shipped.of([this.tree.matches.changes, this.tree.objects.count], () =>
      this.#findShipped(),
    );
    const open = shipped.length === 0 ? stored : new Set([...stored, ...shipped]);
    if (!isSameSet(open, this.#open)) this.#open = open;
    return this.#open;
  }

  isStored(...question: Parameters<TrackedFiles['isStored']>): Promise<boolean> {
    return this.tracked.isStored(...question);
  }

  leftBy(paths: readonly string[]): void {
    this.tracked.leftBy(paths);
    if (paths.length > 0) this.#asked = undefined;
  }

  /** Without those that are open. */
  hidden(open: ReadonlySet<string>): readonly string[] {
    return this.#hidden.of([this.tree.matches.changes, open], () =>
      this.tree.matches.paths('hide').filter((path) => !open.has(path)),
    );
  }

  serverFiles(hidden: readonly string[]): readonly string[] {
    return this.#servers.of([hidden], () => hidden.filter(this.tree.rules.isServerFile));
  }

  /** The folders above what a rule hides by its place, where commands may write. */
  pinned(hidden: readonly string[], write: readonly string[]): readonly string[] {
    return this.#pinned.of([hidden, write.join('\0')], () => [
      ...new Set(hidden.flatMap((path) => this.#pinnedAbove(path, write))),
    ]);
  }

  #pinnedAbove(path: string, write: readonly string[]): readonly string[] {
    const { rules } = this.tree;
    const root = write.find((folder) => isWithin(path, folder));
    if (root === undefined || !rules.isHidden(path)) return [];
    const above: string[] = [];
    const parents = rules.pinnedParents(path);
    for (
      let folder = dirname(path);
      above.length < parents && isWithin(folder, root) && folder !== root;
      folder = dirname(folder)
    )
      above.push(folder);
    return above;
  }

  /** While the kernel tells of no change, only what was open is asked about again: a file may be written without a word. */
  async #stored(folders: readonly string[]): Promise<ReadonlySet<string>> {
    const { revision, matches } = this.tree;
    const entries = matches.paths('git');
    if (entries.length === 0) return NONE;
    const label = folders.join('\0');
    const asked = this.#asked;
    const isKnown = revision !== undefined && asked?.revision === revision && asked.folders === label;
    const files = isKnown
      ? [...asked.stored]
      : this.#candidates.of([matches.changes], () => this.#findCandidates());
    if (isKnown && files.length === 0) return NONE;
    const stored = await this.tracked.open(files, { entries, folders });
    // A command may have ended meanwhile.
    if (this.#asked === asked) this.#asked = { revision, folders: label, stored };
    return stored;
  }

  #findCandidates(): readonly string[] {
    const { matches, rules } = this.tree;
    return [...matches.entries()].flatMap(([path, { kind, isFile, links }]) =>
      kind === 'hide' && isFile && links === 1 && rules.isHidden(path) && !rules.isNamed(path) ? [path] : [],
    );
  }

  /**
   * Files and folders that are secret by their names and belong to a package: packages bring certificates and examples
   * of settings, which everybody has who installs them. A mask would keep package managers from replacing them. What was
   * a secret at another place before stays one, and so does an object with a name outside of packages.
   */
  #findShipped(): readonly string[] {
    const { matches, rules, objects } = this.tree;
    const shipped: (readonly [string, MatchedPath])[] = [];
    const elsewhere = new Set<string>();
    for (const [path, found] of matches.entries()) {
      if (found.kind !== 'hide' || found.closed) continue;
      if (rules.dependencies.ships(path) && rules.isHidden(path)) shipped.push([path, found]);
      else elsewhere.add(found.key);
    }
    return shipped
      .filter(([, { key }]) => !elsewhere.has(key) && !objects.wasSecret(key))
      .map(([path]) => path);
  }
}

/** A value that stays right as long as what it was made from is the same. */
class Remembered<T> {
  #known: { readonly from: readonly unknown[]; readonly value: T } | undefined;

  of(from: readonly unknown[], make: () => T): T {
    const isSame = this.#known?.from.every((part, index) => part === from[index]) === true;
    if (this.#known === undefined || !isSame) this.#known = { from, value: make() };
    return this.#known.value;
  }
}

export function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one === other) return true;
  if (one.size !== other.size) return false;
  for (const path of one) if (!other.has(path)) return false;
  return true;
}

const TEXT =
  '# Hidden from commands: the policy and the settings of Castellan, which keeps the tools of this workspace.\n';

/**
 * The file that commands read in the place of the policy and the settings in force. They lie at the root of a workspace
 * because Castellan is used there: if they could not be opened, every grep -r, tar and cp -r of a whole project would
 * end as a failure. undefined: it cannot be made, and they are hidden as secrets are.
 */
export function standInFile(stateFolder: string): string | undefined {
  const folder = join(stateFolder, 'stand-in');
  const file = join(folder, 'server-file');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (contentOf(file) !== TEXT) {
      const fresh = `${file}.${process.pid}`;
      writeFileSync(fresh, TEXT);
      // Commands are not always who the server is.
      chmodSync(fresh, 0o444);
      renameSync(fresh, file);
    }
    return file;
  } catch {
    // A state folder that cannot be written is reported by those that must write it.
    return undefined;
  }
}

/** What lies in the place of hidden files, the server's own among them. What git tracks has something of its own. */
export function withStandIn(
  standIn: string | undefined,
  serverFiles: readonly string[],
  tracked: ReadonlyMap<string, string | undefined>,
): ReadonlyMap<string, string> {
  const placeholders = new Map<string, string>();
  if (standIn !== undefined) for (const path of serverFiles) placeholders.set(path, standIn);
  for (const [path, source] of tracked) {
    if (source === undefined) placeholders.delete(path);
    else placeholders.set(path, source);
  }
  return placeholders;
}

function contentOf(file: string): string | undefined {
  const read = readForeignFileSync(file, { links: 'nowhere', maxBytes: 2 * TEXT.length });
  return read.kind === 'bytes' ? strictUtf8(read.bytes) : undefined;
}
