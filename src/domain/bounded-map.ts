/** At most so many entries: a new one pushes out the oldest. For what is remembered to save work. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly most: number) {
    super();
  }

  /** An entry that is set again counts as new. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    if (this.size >= this.most) {
      const oldest = this.keys().next();
      if (!oldest.done) this.delete(oldest.value);
    }
    return super.set(key, value);
  }
}
