const FIRST_CAPACITY = 2;

/**
 * The occurrences of one term: pairs of a document's slot and its packed counts, in the order of indexing.
 */
export class PostingList {
  #pairs = new Uint32Array(FIRST_CAPACITY * 2);
  #length = 0;
  /** Documents that still have the term; entries of removed ones stay until the index is compacted. */
  live = 0;

  get length(): number {
    return this.#length;
  }

  /** Alternating slots and counts; only the first `length` pairs are valid. */
  get pairs(): Uint32Array {
    return this.#pairs;
  }

  add(slot: number, packed: number): void {
    if (this.#length * 2 === this.#pairs.length) {
      const grown = new Uint32Array(this.#pairs.length * 2);
      grown.set(this.#pairs);
      this.#pairs = grown;
    }
    this.#pairs[this.#length * 2] = slot;
    this.#pairs[this.#length * 2 + 1] = packed;
    this.#length += 1;
    this.live += 1;
  }
}
