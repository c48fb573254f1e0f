import { editDistance } from '../../domain/edit-distance.js';
import { stem } from '../../domain/knowledge/search/stem.js';
import { allowedSlips, differingLetters, letterMask } from '../../domain/knowledge/search/word-distance.js';
import { splitRun } from '../../domain/knowledge/search/word-split.js';

export interface NearTerm {
  readonly term: number;
  readonly typos: number;
}

const MAX_REMEMBERED_RUNS = 200_000;
const MAX_NEAR = 4;

/**
 * Numbers for terms. Words with the same stem are one term; each word is kept to suggest corrections of
 * typos.
 */
export class Vocabulary {
  readonly #terms = new Map<string, number>();
  readonly #words = new Map<string, number>();
  readonly #wordList: string[] = [];
  #masks = new Uint32Array(1024);
  /** Texts repeat their words, so the parts of each run are cached. */
  readonly #runs = new Map<string, readonly number[]>();

  get size(): number {
    return this.#terms.size;
  }

  /** The terms of a run of text, adding new ones. */
  termsOf(run: string): readonly number[] {
    const known = this.#runs.get(run);
    if (known !== undefined) return known;
    const terms = splitRun(run).map((word) => this.#words.get(word) ?? this.#learn(word));
    if (this.#runs.size >= MAX_REMEMBERED_RUNS) this.#runs.clear();
    this.#runs.set(run, terms);
    return terms;
  }

  /** The terms of a run, as far as they are known; adds nothing. */
  knownTermsOf(run: string): readonly number[] {
    return this.#runs.get(run) ?? splitRun(run).flatMap((word) => this.find(word) ?? []);
  }

  /** undefined if no document has ever contained it. */
  find(word: string): number | undefined {
    return this.#words.get(word) ?? this.#terms.get(stem(word));
  }

  /** What an unknown word may have been meant to be: the nearest words, those of most documents first. */
  near(word: string, documentsWith: (term: number) => number): readonly NearTerm[] {
    const limit = allowedSlips(word.length);
    if (limit === 0) return [];
    const mask = letterMask(word);
    const found = new Map<number, number>();
    for (let index = 0; index < this.#wordList.length; index += 1) {
      if (differingLetters(mask, this.#masks[index] ?? 0) > 2 * limit) continue;
      const candidate = this.#wordList[index] ?? '';
      const typos = editDistance(word, candidate, limit);
      const term = this.#words.get(candidate);
      if (typos > limit || term === undefined || documentsWith(term) === 0) continue;
      found.set(term, Math.min(typos, found.get(term) ?? typos));
    }
    const fewest = Math.min(...found.values());
    return [...found]
      .filter(([, typos]) => typos === fewest)
      .sort(([a], [b]) => documentsWith(b) - documentsWith(a))
      .slice(0, MAX_NEAR)
      .map(([term, typos]) => ({ term, typos }));
  }

  #learn(word: string): number {
    const root = stem(word);
    const term = this.#terms.get(root) ?? this.#terms.size;
    this.#terms.set(root, term);
    this.#words.set(word, term);
    if (this.#wordList.length === this.#masks.length) {
      const grown = new Uint32Array(this.#masks.length * 2);
      grown.set(this.#masks);
      this.#masks = grown;
    }
    this.#masks[this.#wordList.length] = letterMask(word);
    this.#wordList.push(word);
    return term;
  }
}
