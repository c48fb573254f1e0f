import { forEachRun } from '../../domain/knowledge/search/word-split.js';
import { BODY, HEADING, LEAD, type TermCounts, TITLE } from './term-counts.js';
import type { Vocabulary } from './vocabulary.js';

/** What of a document is searched. */
export interface SearchableText {
  readonly title: string;
  /** What the front matter says it is about. */
  readonly keywords: string;
  readonly text: string;
  readonly sections: readonly { readonly heading: string; readonly start: number; readonly end: number }[];
}

const LEAD_TERMS = 60;

/** A document as the numbers of its terms, in order: small enough to keep, whole enough to find a section by. */
export class TermStream {
  private constructor(
    private readonly terms: Uint32Array,
    private readonly titleEnd: number,
    /** Of each section, where its heading and where its body begins. */
    private readonly bounds: Uint32Array,
  ) {}

  static of({ title, keywords, text, sections }: SearchableText, vocabulary: Vocabulary): TermStream {
    const terms: number[] = [];
    const visit = (run: string) => {
      for (const term of vocabulary.termsOf(run)) terms.push(term);
    };
    const take = (words: string) => forEachRun(words, 0, words.length, visit);
    take(title);
    const titleEnd = terms.length;
    take(keywords);
    const bounds = new Uint32Array(sections.length * 2);
    sections.forEach(({ heading, start, end }, index) => {
      bounds[index * 2] = terms.length;
      take(heading);
      bounds[index * 2 + 1] = terms.length;
      forEachRun(text, start, end, visit);
    });
    return new TermStream(Uint32Array.from(terms), titleEnd, bounds);
  }

  get length(): number {
    return this.terms.length;
  }

  /** May have a term twice, where the title has. */
  get titleTerms(): Uint32Array {
    return this.terms.subarray(0, this.titleEnd);
  }

  countInto(counts: TermCounts): void {
    counts.addAll(this.terms, 0, this.titleEnd, TITLE);
    counts.addAll(this.terms, this.titleEnd, this.bounds[0] ?? this.terms.length, HEADING);
    let lead = LEAD_TERMS;
    for (let index = 0; index < this.bounds.length; index += 2) {
      const body = this.bounds[index + 1] ?? 0;
      const end = this.bounds[index + 2] ?? this.terms.length;
      const leadEnd = Math.min(end, body + lead);
      lead -= leadEnd - body;
      counts.addAll(this.terms, this.bounds[index] ?? 0, body, HEADING);
      counts.addAll(this.terms, body, leadEnd, LEAD);
      counts.addAll(this.terms, leadEnd, end, BODY);
    }
  }

  /** The section that has most of the wanted terms, each by its worth; the first of equals. */
  bestSection(wanted: ReadonlyMap<number, number>): number {
    let best = 0;
    let bestScore = 0;
    for (let section = 0; section * 2 < this.bounds.length; section += 1) {
      const score = this.#sectionScore(section, wanted);
      if (score > bestScore) {
        best = section;
        bestScore = score;
      }
    }
    return best;
  }

  #sectionScore(section: number, wanted: ReadonlyMap<number, number>): number {
    const start = this.bounds[section * 2] ?? 0;
    const body = this.bounds[section * 2 + 1] ?? 0;
    const end = this.bounds[section * 2 + 2] ?? this.terms.length;
    const seen = new Map<number, number>();
    for (let at = start; at < end; at += 1) {
      const term = this.terms[at] ?? 0;
      if (wanted.has(term)) seen.set(term, (seen.get(term) ?? 0) + (at < body ? 3 : 1));
    }
    let score = 0;
    for (const [term, count] of seen) score += (wanted.get(term) ?? 0) * (count / (count + 1));
    return score;
  }
}
