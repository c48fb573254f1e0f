/** How far one reader may be behind, and all of them together. */
const MAX_BEHIND = 4 * 1024 * 1024;
const MAX_ALL_BEHIND = 64 * 1024 * 1024;
/** When all together are too far behind, whoever is further behind than this is cut. */
const MODEST = 64 * 1024;

/** What waits in this process for readers that do not keep up. */
export class Backlog {
  readonly #behind = new Map<object, number>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes note of how many bytes wait for a reader; false: it is to be cut. */
  allows(reader: object, behind: number): boolean {
    this.#bytes += behind - (this.#behind.get(reader) ?? 0);
    if (behind === 0) this.#behind.delete(reader);
    else this.#behind.set(reader, behind);
    return behind <= (this.#bytes > MAX_ALL_BEHIND ? MODEST : MAX_BEHIND);
  }

  gone(reader: object): void {
    this.allows(reader, 0);
  }
}

/** One for the process: it has one memory. */
export const backlog = new Backlog();
