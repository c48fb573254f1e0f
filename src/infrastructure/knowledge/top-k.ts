export interface Scored<Item> {
  readonly item: Item;
  readonly score: number;
}

/** The best few of many, without sorting all of them. Of equals the first stays. */
export class TopK<Item> {
  readonly #items: Scored<Item>[] = [];

  constructor(private readonly limit: number) {}

  /** The score to exceed to be among them. */
  get least(): number {
    return this.#items.length < this.limit ? 0 : (this.#items.at(-1)?.score ?? 0);
  }

  offer(item: Item, score: number): void {
    if (score <= this.least) return;
    const at = this.#items.findIndex((each) => each.score < score);
    this.#items.splice(at === -1 ? this.#items.length : at, 0, { item, score });
    if (this.#items.length > this.limit) this.#items.pop();
  }

  /** Best first. */
  ranked(): readonly Scored<Item>[] {
    return this.#items;
  }
}
