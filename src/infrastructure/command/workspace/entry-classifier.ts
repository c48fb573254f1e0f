import type { Stats } from 'node:fs';
import { objectKey } from '../../file/object-key.js';
import type { DeniedObjectStore } from './denied-object-store.js';
import type { InheritedFlags, Seed } from './folder-node.js';
import type { MatchedPath } from './matched-paths.js';
import { tryLookAt } from './read-entries.js';
import type { SensitiveRules } from './sensitive-rules.js';

const MAX_SECRETS = 100_000;
/** Names that git gives to branches; no secrets, whatever they end in. */
const BRANCH_NAMES = /\/\.git\/(?:[^/]+\/)*?(?:refs|logs)\//;

/** Says what the rules make of an entry, by its path and by what it is. */
export class EntryClassifier {
  /** Objects that stay hidden under every name: files with several names, and what was moved from its place. */
  readonly wanted = new Set<string>();
  /** Objects that were hidden once. */
  readonly #secrets = new Set<string>();

  constructor(
    private readonly rules: SensitiveRules,
    private readonly places: DeniedObjectStore,
  ) {}

  kindOf({ path, name, inherited, parent }: Seed, stats: Stats): MatchedPath['kind'] | undefined {
    // A view that begins in a folder of the server's.
    if (parent === undefined && !stats.isFile() && this.rules.isServerFile(path)) return 'fixed';
    const key = objectKey(stats);
    if (stats.isSocket() || this.wanted.has(key)) return 'hide';
    if (this.rules.isHidden(path) && (!this.#isBranch(path, inherited) || this.#secrets.has(key))) {
      if (this.#secrets.size < MAX_SECRETS) this.#secrets.add(key);
      if (this.rules.pinnedParents(path) > 0) this.places.remember(key, path, stats.isFile());
      else if (!this.rules.dependencies.ships(path)) this.places.rememberSecret(key, path);
      return 'hide';
    }
    if (inherited.git) return undefined;
    // A file `.git` leads to a repository elsewhere, as those of submodules do.
    if (name === '.git' && !(stats.isDirectory() && this.rules.dependencies.ownsRepository(path)))
      return 'git';
    return !inherited.fixed && this.rules.isFixed(path) ? 'fixed' : undefined;
  }

  /** Denied at a place that it left. */
  isMoved(key: string, path: string): boolean {
    const place = this.places.placeOf(key);
    return place !== undefined && place !== path && this.rules.isHidden(place);
  }

  /** Wants hidden files that have several names. Answers the paths that stand for something else by now. */
  seekNames(matches: Iterable<readonly [string, MatchedPath]>): readonly string[] {
    const exchanged: string[] = [];
    for (const [path, { kind, isFile, key }] of matches) {
      if (kind !== 'hide' || !isFile) continue;
      const stats = tryLookAt(path);
      if (stats === undefined || objectKey(stats) !== key) exchanged.push(path);
      else if (stats.nlink > 1) this.wanted.add(key);
    }
    return exchanged;
  }

  /** Wants what was denied at a place where it is not any more. */
  seekMoved(isInPlace: (path: string) => boolean): void {
    for (const key of this.places.missing(this.rules.isHidden, isInPlace)) this.wanted.add(key);
  }

  #isBranch(path: string, { git }: InheritedFlags): boolean {
    return git && BRANCH_NAMES.test(path);
  }
}
