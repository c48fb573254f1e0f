import { isWeak } from './topic-words.js';

/** Where things are rather than what they are: shared by too many decisions to mean much. */
const AREAS: ReadonlySet<string> = new Set(['backend', 'frontend', 'api']);
const AREA_WEIGHT = 0.3;
const WEAK_WEIGHT = 0.2;

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

  sum(words: Iterable<string>): number {
    let total = 0;
    for (const word of words) total += this.of(word);
    return total;
  }
}

export function isArea(word: string): boolean {
  return AREAS.has(word);
}
