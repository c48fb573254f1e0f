import { isWeak } from './topic-words.js';

/** Where things are rather than what they are: shared by too many decisions to mean much. */
const AREAS: ReadonlySet<string> = new Set(['backend', 'frontend', 'api']);
const AREA_WEIGHT = 0.3;
const WEAK_WEIGHT = 0.2;
const COMMON_SHARE = 0.2;
const LEAST_COMMON = 2;
const MOST_COMMON = 20;

/** How much a word tells: between 0 and 1, the more the fewer texts have it. */
export class WordWeights {
  readonly #having = new Map<string, number>();
  readonly #texts: number;

  constructor(texts: readonly ReadonlySet<string>[]) {
    this.#texts = texts.length;
    for (const words of texts) {
      for (const word of words) this.#having.set(word, (this.#having.get(word) ?? 0) + 1);
    }
  }

  of(word: string): number {
    if (isWeak(word)) return WEAK_WEIGHT;
    const having = Math.max(1, this.#having.get(word) ?? 1);
    const rare = Math.log(1 + this.#texts / having) / Math.log(1 + this.#texts);
    return AREAS.has(word) ? Math.min(rare, AREA_WEIGHT) : rare;
  }

  /** False for what many texts have: that is the environment they speak of, not a choice. */
  isTelling(word: string): boolean {
    if (isWeak(word) || AREAS.has(word) || /^\d+$/.test(word)) return false;
    const most = Math.max(LEAST_COMMON, Math.min(this.#texts * COMMON_SHARE, MOST_COMMON));
    return (this.#having.get(word) ?? 0) <= most;
  }

  sum(words: Iterable<string>): number {
    let total = 0;
    for (const word of words) total += this.of(word);
    return total;
  }
}
