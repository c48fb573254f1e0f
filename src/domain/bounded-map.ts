/** A map with a maximum size: a new entry evicts the oldest. For values cached to save work. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly most: number) {
    super();
  }

  /** Setting an entry again makes it the newest. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    if (this.size >= this.most) {
      const oldest = this.keys().next();
      if (!oldest.done) this.delete(oldest.value);
    }
    return super.set(key, value);
  }
}
