import type { FieldCounts } from '../../domain/knowledge/search/ranking.js';

/** One part of a document within a packed count: its first bit and maximum value. */
interface PackedField {
  readonly shift: number;
  readonly most: number;
}

export const TITLE: PackedField = { shift: 28, most: 15 };
export const HEADING: PackedField = { shift: 20, most: 255 };
export const LEAD: PackedField = { shift: 14, most: 63 };
export const BODY: PackedField = { shift: 0, most: 16383 };

function readField(packed: number, { shift, most }: PackedField): number {
  return (packed >>> shift) & most;
}

export function unpackCounts(packed: number): FieldCounts {
  return {
    title: readField(packed, TITLE),
    heading: readField(packed, HEADING),
    lead: readField(packed, LEAD),
    body: readField(packed, BODY),
  };
}

/** Counts the terms of one document after another without allocating a table for each. */
export class TermCounts {
  #packed = new Uint32Array(1024);
  readonly #touched: number[] = [];

  addAll(terms: Uint32Array, from: number, to: number, field: PackedField): void {
    const one = 1 << field.shift;
    for (let at = from; at < to; at += 1) {
      const term = terms[at] ?? 0;
      if (term >= this.#packed.length) this.#grow(term);
      const packed = this.#packed[term] ?? 0;
      if (packed === 0) this.#touched.push(term);
      if (readField(packed, field) < field.most) this.#packed[term] = packed + one;
    }
  }

  /** Visits each term with its packed counts, and is empty afterwards. */
  drain(visit: (term: number, packed: number) => void): void {
    for (const term of this.#touched) {
      visit(term, this.#packed[term] ?? 0);
      this.#packed[term] = 0;
    }
    this.#touched.length = 0;
  }

  #grow(term: number): void {
    const grown = new Uint32Array(Math.max(term + 1, this.#packed.length * 2));
    grown.set(this.#packed);
    this.#packed = grown;
  }
}
