import { isWithin } from '../program/toolchains.js';
import type { ChangeTracker } from './change-tracker.js';
import type { DeniedObjectStore } from './denied-object-store.js';
import { HiddenFiles } from './hidden-files.js';
import { LiveMasks } from './live-masks.js';
import type { CountsAnyway, PathChange } from './matched-paths.js';
import type { SensitiveRules } from './sensitive-rules.js';
import type { TrackedFiles } from './tracked-files.js';
import { WatchedTree } from './watched-tree.js';

export interface CachedTree {
  readonly tree: WatchedTree;
  readonly masks: LiveMasks;
  readonly hidden: HiddenFiles;
}

interface Kept extends CachedTree {
  readonly key: object;
  readonly name: string;
}

const MAX_TREES = 4;

/** The pictures of the last policies and views; all of them hang on one tracker. */
export class WatchedTreeCache {
  /** The one used last is the last. */
  readonly #kept: Kept[] = [];

  constructor(
    private readonly tracker: ChangeTracker,
    private readonly places: DeniedObjectStore,
    private readonly tracked: TrackedFiles,
    private readonly countsAnyway: CountsAnyway,
  ) {}

  /** `key` and `name` stand for the rules: other ones find other files. */
  of(
    folders: readonly string[],
    rules: SensitiveRules,
    { key, name }: { readonly key: object; readonly name: string },
    onNews: (news: readonly PathChange[]) => void,
  ): CachedTree {
    const roots = outermost(folders);
    const label = [...roots, name].join('\0');
    const index = this.#kept.findIndex((kept) => kept.key === key && kept.name === label);
    const known = index === -1 ? undefined : this.#kept.splice(index, 1)[0];
    const kept = known ?? this.#make(roots, rules, { key, name: label }, onNews);
    this.#kept.push(kept);
    this.#forgetOldest();
    return kept;
  }

  async close(): Promise<void> {
    await Promise.all(this.#kept.splice(0).map(({ tree }) => tree.close()));
    this.tracker.close();
    this.places.save();
  }

  #make(
    roots: readonly string[],
    rules: SensitiveRules,
    { key, name }: { readonly key: object; readonly name: string },
    onNews: (news: readonly PathChange[]) => void,
  ): Kept {
    const { tracker, places, countsAnyway } = this;
    const tree = new WatchedTree({ roots, rules, tracker, places, countsAnyway });
    const hidden = new HiddenFiles(tree, this.tracked);
    return { key, name, tree, hidden, masks: new LiveMasks(tree, onNews, hidden) };
  }

  #forgetOldest(): void {
    const index = this.#kept.findIndex(({ tree }) => !tree.isFollowed);
    if (this.#kept.length <= MAX_TREES || index === -1 || index === this.#kept.length - 1) return;
    for (const { tree } of this.#kept.splice(index, 1)) void tree.close();
  }
}

/** Those that lie in none of the others. */
function outermost(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)];
  return all.filter((folder) => !all.some((other) => other !== folder && isWithin(folder, other)));
}
