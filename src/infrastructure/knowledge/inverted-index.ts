import {
  nearnessFactor,
  rarity,
  termWeight,
  titleFactor,
  typoWeight,
} from '../../domain/knowledge/search/ranking.js';
import { forEachRun, splitRun } from '../../domain/knowledge/search/word-split.js';
import { PostingList } from './posting-list.js';
import { TermCounts, unpackCounts } from './term-counts.js';
import type { TermStream, WantedTerms } from './term-stream.js';
import { TopK } from './top-k.js';
import { Vocabulary } from './vocabulary.js';

export interface IndexHit<Key> {
  readonly key: Key;
  readonly score: number;
  /** The index of the most relevant section, as passed when indexing. */
  readonly section: number;
}

/** The weight of each term of a query. */
export type TermWorths = ReadonlyMap<number, number>;

export interface IndexAnswer<Key> {
  readonly hits: readonly IndexHit<Key>[];
  /** The number of documents with any of the words. */
  readonly total: number;
  readonly worths: TermWorths;
}

interface Slot<Key> {
  readonly key: Key;
  readonly stream: TermStream;
}

/**
 * The share of documents from which a word counts as common, and the minimum number of documents for that.
 */
const COMMON_SHARE = 0.8;
const COMMON_LEAST = 50;
/**
 * Compacting costs as much as indexing from streams; it is done when most entries belong to removed
 * documents.
 */
const RERANKED = 50;
const REBUILD_DEAD_SHARE = 0.5;
const REBUILD_DEAD_LEAST = 500;

/** Documents by their terms, changed one at a time. */
export class InvertedIndex<Key> {
  readonly vocabulary = new Vocabulary();
  #postings: PostingList[] = [];
  #slots: (Slot<Key> | undefined)[] = [];
  /** The length of the document in each slot; 0 if it is empty. */
  #lengths = new Uint32Array(1024);
  readonly #slotOf = new Map<Key, number>();
  readonly #counts = new TermCounts();
  #totalLength = 0;
  /** The number of titles that contain a term. */
  readonly #inTitles = new Map<number, number>();
  #marks = new Uint16Array(1024);

  get size(): number {
    return this.#slotOf.size;
  }

  put(key: Key, stream: TermStream): void {
    this.remove(key);
    const number = this.#slots.length;
    this.#slots.push({ key, stream });
    this.#lengths = grown(this.#lengths, number);
    this.#lengths[number] = stream.length;
    this.#slotOf.set(key, number);
    this.#totalLength += stream.length;
    this.#countTitle(stream, 1);
    this.#post(number, stream);
  }

  remove(key: Key): void {
    const number = this.#slotOf.get(key);
    const slot = number === undefined ? undefined : this.#slots[number];
    if (number === undefined || slot === undefined) return;
    this.#slotOf.delete(key);
    this.#slots[number] = undefined;
    this.#lengths[number] = 0;
    this.#totalLength -= slot.stream.length;
    this.#countTitle(slot.stream, -1);
    slot.stream.countInto(this.#counts);
    this.#counts.drain((term) => {
      const postings = this.#postings[term];
      if (postings !== undefined) postings.live -= 1;
    });
    const dead = this.#slots.length - this.#slotOf.size;
    if (dead > REBUILD_DEAD_LEAST && dead > this.#slots.length * REBUILD_DEAD_SHARE) this.#rebuild();
  }

  search(query: string, limit: number, accepts?: (key: Key) => boolean): IndexAnswer<Key> {
    const worths = this.#worthsOf(query);
    const scores = new Float64Array(this.#slots.length);
    const inTitle = new Float64Array(this.#slots.length);
    let whole = 0;
    for (const [term, worth] of worths) {
      whole += worth;
      this.#score(term, worth, scores, inTitle);
    }
    const best = new TopK<Slot<Key>>(Math.max(limit, RERANKED));
    let total = 0;
    for (let number = 0; number < scores.length; number += 1) {
      const score = scores[number] ?? 0;
      const slot = score > 0 ? this.#slots[number] : undefined;
      if (slot === undefined || accepts?.(slot.key) === false) continue;
      total += 1;
      const title = inTitle[number] ?? 0;
      // Most documents cannot be among the best: titles are examined only for the others.
      if (score * titleFactor(title / whole, 1) <= best.least) continue;
      best.offer(slot, title === 0 ? score : score * this.#titleFactor(slot.stream, title, whole, worths));
    }
    const most = whole * titleFactor(1, 1) * nearnessFactor(1);
    const wanted = this.#mark(worths);
    const hits = best
      .ranked()
      .map(({ item, score }) => ({ item, score: score * nearnessFactor(item.stream.nearness(wanted)) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ item, score }) => ({
        key: item.key,
        score: score / most,
        section: item.stream.bestSection(wanted),
      }));
    this.#unmark(worths);
    return { hits, total, worths };
  }

  /** How relevant a text is to the query, each term counted once. */
  worthOf(text: string, worths: TermWorths): number {
    const seen = new Set<number>();
    forEachRun(text, 0, text.length, (run) => {
      for (const term of this.vocabulary.knownTermsOf(run)) seen.add(term);
    });
    let worth = 0;
    for (const term of seen) worth += worths.get(term) ?? 0;
    return worth;
  }

  /** Adds a term's weight to each document that contains it. */
  #score(term: number, worth: number, scores: Float64Array, inTitle: Float64Array): void {
    const postings = this.#postings[term];
    if (postings === undefined) return;
    const average = this.#totalLength / this.size;
    const { pairs, length } = postings;
    const lengths = this.#lengths;
    for (let at = 0; at < length * 2; at += 2) {
      const number = pairs[at] ?? 0;
      const documentLength = lengths[number] ?? 0;
      if (documentLength === 0) continue;
      const counts = unpackCounts(pairs[at + 1] ?? 0);
      scores[number] = (scores[number] ?? 0) + worth * termWeight(counts, documentLength, average);
      if (counts.title > 0) inTitle[number] = (inTitle[number] ?? 0) + worth;
    }
  }

  /** The weighted terms of a query. Typos are looked up only for words that no document has. */
  #worthsOf(query: string): TermWorths {
    const weights = new Map<number, number>();
    const documentsWith = (term: number) => this.#postings[term]?.live ?? 0;
    const note = (term: number, weight: number) =>
      weights.set(term, Math.max(weight, weights.get(term) ?? 0));
    forEachRun(query, 0, query.length, (run) => {
      for (const word of splitRun(run)) {
        const term = this.vocabulary.find(word);
        if (term !== undefined && documentsWith(term) > 0) note(term, 1);
        else
          for (const near of this.vocabulary.near(word, documentsWith))
            note(near.term, typoWeight(near.typos));
      }
    });
    const telling = [...weights].filter(([term]) => documentsWith(term) <= this.size * COMMON_SHARE);
    const counted = telling.length > 0 && this.size >= COMMON_LEAST ? telling : [...weights];
    return new Map(counted.map(([term, weight]) => [term, weight * this.#rarityOf(term)]));
  }

  /** One table for all queries: a scan of fifty documents looks up every word of them. */
  #mark(worths: TermWorths): WantedTerms {
    if (this.#marks.length < this.vocabulary.size) this.#marks = new Uint16Array(this.vocabulary.size * 2);
    let place = 0;
    for (const term of worths.keys()) {
      place += 1;
      this.#marks[term] = place;
    }
    return { marks: this.#marks, worths: Float64Array.from(worths.values()) };
  }

  #unmark(worths: TermWorths): void {
    for (const term of worths.keys()) this.#marks[term] = 0;
  }

  /** Title words that were not asked for count by how rare they are among titles. */
  #titleFactor(stream: TermStream, covered: number, whole: number, worths: TermWorths): number {
    const { titleTerms } = stream;
    let sum = 0;
    let found = 0;
    for (const term of titleTerms) {
      const worth = rarity(this.size, this.#inTitles.get(term) ?? 0);
      sum += worth;
      if (worths.has(term)) found += worth;
    }
    return titleFactor(covered / whole, found / sum);
  }

  #rarityOf(term: number): number {
    return rarity(this.size, this.#postings[term]?.live ?? 0);
  }

  #countTitle({ titleTerms }: TermStream, by: number): void {
    for (const term of new Set(titleTerms)) this.#inTitles.set(term, (this.#inTitles.get(term) ?? 0) + by);
  }

  #post(number: number, stream: TermStream): void {
    stream.countInto(this.#counts);
    this.#counts.drain((term, packed) => {
      let postings = this.#postings[term];
      if (postings === undefined) {
        postings = new PostingList();
        this.#postings[term] = postings;
      }
      postings.add(number, packed);
    });
  }

  #rebuild(): void {
    const slots = this.#slots.filter((slot) => slot !== undefined);
    this.#postings = [];
    this.#slots = slots;
    this.#slotOf.clear();
    slots.forEach((slot, number) => {
      this.#slotOf.set(slot.key, number);
      this.#lengths[number] = slot.stream.length;
      this.#post(number, slot.stream);
    });
  }
}

function grown(array: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  if (index < array.length) return array;
  const larger = new Uint32Array(Math.max(index + 1, array.length * 2));
  larger.set(array);
  return larger;
}
