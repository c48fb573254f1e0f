import { nearnessFactor } from '../../domain/knowledge/search/ranking.js';
import { forEachRun } from '../../domain/knowledge/search/word-split.js';
import { BODY, HEADING, LEAD, type TermCounts, TITLE } from './term-counts.js';
import type { Vocabulary } from './vocabulary.js';

/** The searchable parts of a document. */
export interface SearchableText {
  readonly title: string;
  /** Topics named in the front matter. */
  readonly keywords: string;
  readonly text: string;
  readonly sections: readonly { readonly heading: string; readonly start: number; readonly end: number }[];
}

const LEAD_TERMS = 60;
const MAX_CONTENTS_LINE = 500;
/** Words further apart than this are unrelated. */
const NEAR = 12;

/** The terms of a query in order, by number and by weight. */
export interface WantedTerms {
  /** For each term of the vocabulary its index among the wanted ones, counted from 1; 0 if not wanted. */
  readonly marks: Uint16Array;
  readonly worths: Float64Array;
}

/** A table of contents only repeats the document's own headings. */
const CONTENTS = /^(?:table of )?contents$|^toc$/i;
const CONTENTS_LINE = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[[^\]\n]*\]\(#[^()\s]*\)[ \t]*$/;

function forEachRunOfProse(text: string, start: number, end: number, visit: (run: string) => void): void {
  const link = text.indexOf('](#', start);
  if (link === -1 || link >= end) {
    forEachRun(text, start, end, visit);
    return;
  }
  for (let from = start; from < end; ) {
    const newline = text.indexOf('\n', from);
    const to = newline === -1 || newline > end ? end : newline;
    if (to - from > MAX_CONTENTS_LINE || !CONTENTS_LINE.test(text.slice(from, to)))
      forEachRun(text, from, to, visit);
    from = to + 1;
  }
}

/** After the last line end that fits, so that words are not split if possible. */
function pieceEnd(text: string, from: number, end: number, most: number): number {
  if (end - from <= most) return end;
  const newline = text.lastIndexOf('\n', from + most - 1);
  return newline > from ? newline + 1 : from + most;
}

/** A document as the numbers of its terms, in order: small enough to keep, sufficient to find a section. */
export class TermStream {
  private constructor(
    private readonly terms: Uint32Array,
    private readonly titleEnd: number,
    /** For each section, where its heading and where its body begins. */
    private readonly bounds: Uint32Array,
  ) {}

  static of(searchable: SearchableText, vocabulary: Vocabulary): TermStream {
    const reading = TermStream.reading(searchable, vocabulary, Number.POSITIVE_INFINITY);
    for (let next = reading.next(); ; next = reading.next()) if (next.done) return next.value;
  }

  /** The same in pieces of at most `most` characters: each is announced before it is read. */
  static *reading(
    { title, keywords, text, sections }: SearchableText,
    vocabulary: Vocabulary,
    most: number,
  ): Generator<number, TermStream> {
    const terms: number[] = [];
    const visit = (run: string) => {
      for (const term of vocabulary.termsOf(run)) terms.push(term);
    };
    const take = (words: string) => forEachRun(words, 0, words.length, visit);
    take(title);
    const titleEnd = terms.length;
    take(keywords);
    const bounds = new Uint32Array(sections.length * 2);
    for (const [index, { heading, start, end }] of sections.entries()) {
      bounds[index * 2] = terms.length;
      take(heading);
      bounds[index * 2 + 1] = terms.length;
      if (CONTENTS.test(heading)) continue;
      for (let from = start; from < end; ) {
        const to = pieceEnd(text, from, end, most);
        yield to - from;
        forEachRunOfProse(text, from, to, visit);
        from = to;
      }
    }
    return new TermStream(Uint32Array.from(terms), titleEnd, bounds);
  }

  get length(): number {
    return this.terms.length;
  }

  /** May contain a term twice, if the title does. */
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

  /**
   * How close together the wanted terms are, from 0 to 1: for each two that are adjacent in the query the
   * shortest distance, weighted by the smaller weight.
   */
  nearness({ marks, worths }: WantedTerms, from = 0, to = this.terms.length): number {
    const last = new Int32Array(worths.length).fill(-NEAR);
    const nearest = new Int32Array(worths.length).fill(NEAR);
    const { terms } = this;
    for (let at = from; at < to; at += 1) {
      const mark = marks[terms[at] ?? 0] ?? 0;
      if (mark === 0) continue;
      const index = mark - 1;
      const before = at - (last[index - 1] ?? -NEAR);
      const after = at - (last[index + 1] ?? -NEAR) + 1;
      if (index > 0 && before < (nearest[index] ?? NEAR)) nearest[index] = before;
      if (index + 1 < worths.length && after < (nearest[index + 1] ?? NEAR)) nearest[index + 1] = after;
      last[index] = at;
    }
    let sum = 0;
    let whole = 0;
    for (let index = 1; index < worths.length; index += 1) {
      const worth = Math.min(worths[index] ?? 0, worths[index - 1] ?? 0);
      const way = nearest[index] ?? NEAR;
      whole += worth;
      if (way < NEAR) sum += worth / way;
    }
    return whole === 0 ? 0 : sum / whole;
  }

  /** The section with the highest weight of wanted terms; the first of equals. */
  bestSection(wanted: WantedTerms): number {
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

  #sectionScore(section: number, wanted: WantedTerms): number {
    const { marks, worths } = wanted;
    const start = this.bounds[section * 2] ?? 0;
    const body = this.bounds[section * 2 + 1] ?? 0;
    const end = this.bounds[section * 2 + 2] ?? this.terms.length;
    const seen = new Float64Array(worths.length);
    for (let at = start; at < end; at += 1) {
      const mark = marks[this.terms[at] ?? 0] ?? 0;
      if (mark > 0) seen[mark - 1] = (seen[mark - 1] ?? 0) + (at < body ? 3 : 1);
    }
    let score = 0;
    for (const [index, count] of seen.entries()) score += (worths[index] ?? 0) * (count / (count + 1));
    return score === 0 ? 0 : score * nearnessFactor(this.nearness(wanted, start, end));
  }
}
