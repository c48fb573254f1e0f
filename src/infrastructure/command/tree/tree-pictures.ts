import type { TrackedSecrets } from '../git/tracked-secrets.js';
import { isWithin } from '../program/toolchains.js';
import type { ChangeTracker } from './change-tracker.js';
import { LiveCovers } from './live-covers.js';
import type { RememberedPlaces } from './remembered-places.js';
import type { SensitiveRules } from './sensitive-rules.js';
import type { News } from './tree-findings.js';
import { TreePicture } from './tree-picture.js';

export interface KeptPicture {
  readonly picture: TreePicture;
  readonly covers: LiveCovers;
}

interface Kept extends KeptPicture {
  readonly key: object;
  readonly name: string;
}

const MAX_PICTURES = 4;

/** The pictures of the last policies and views; all of them hang on one tracker. */
export class TreePictures {
  /** The one used last is the last. */
  readonly #kept: Kept[] = [];

  constructor(
    private readonly tracker: ChangeTracker,
    private readonly places: RememberedPlaces,
    private readonly tracked: TrackedSecrets,
  ) {}

  /** `key` and `name` stand for the rules: other ones find other files. */
  of(
    folders: readonly string[],
    rules: SensitiveRules,
    { key, name }: { readonly key: object; readonly name: string },
    onNews: (news: readonly News[]) => void,
  ): KeptPicture {
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
    await Promise.all(this.#kept.splice(0).map(({ picture }) => picture.close()));
    this.tracker.close();
    this.places.save();
  }

  #make(
    roots: readonly string[],
    rules: SensitiveRules,
    { key, name }: { readonly key: object; readonly name: string },
    onNews: (news: readonly News[]) => void,
  ): Kept {
    const { tracker, places } = this;
    const picture = new TreePicture({ roots, rules, tracker, places });
    const covers = new LiveCovers(picture, onNews, this.tracked);
    return { key, name, picture, covers };
  }

  #forgetOldest(): void {
    const index = this.#kept.findIndex(({ picture }) => !picture.isFollowed);
    if (this.#kept.length <= MAX_PICTURES || index === -1 || index === this.#kept.length - 1) return;
    for (const { picture } of this.#kept.splice(index, 1)) void picture.close();
  }
}

/** Those that lie in none of the others. */
function outermost(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)];
  return all.filter((folder) => !all.some((other) => other !== folder && isWithin(folder, other)));
}
