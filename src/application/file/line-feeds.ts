const LINE_FEED = 0x0a;

/**
 * Finds line feeds in bytes. In every encoding of the WHATWG list the byte 0x0A is a line feed and nothing
 * else, except in UTF-16, where it is half of one.
 */
export class LineFeeds {
  private constructor(
    /** Bytes per line feed. */
    readonly width: 1 | 2,
    /** The encoding named by a byte order mark, which later parts of a file do not have. */
    readonly encoding: 'utf-16le' | 'utf-16be' | undefined,
  ) {}

  static of(head: Uint8Array, named: string | undefined): LineFeeds {
    const [first, second] = head;
    if (first === 0xff && second === 0xfe) return new LineFeeds(2, 'utf-16le');
    if (first === 0xfe && second === 0xff) return new LineFeeds(2, 'utf-16be');
    if (named !== undefined && /^utf-?16(le)?$/i.test(named)) return new LineFeeds(2, 'utf-16le');
    if (named !== undefined && /^utf-?16be$/i.test(named)) return new LineFeeds(2, 'utf-16be');
    return new LineFeeds(1, undefined);
  }

  /** The position after the first `lines` lines, or how many there are. */
  skip(bytes: Uint8Array, lines: number): { readonly lines: number; readonly end: number } {
    let found = 0;
    let end = 0;
    for (let at = this.#next(bytes, 0); at >= 0; at = this.#next(bytes, end)) {
      found += 1;
      end = at + this.width;
      if (found === lines) break;
    }
    return { lines: found, end };
  }

  firstLines(bytes: Uint8Array, lines: number): Uint8Array {
    if (!Number.isFinite(lines)) return bytes;
    const skipped = this.skip(bytes, lines);
    return skipped.lines === lines ? bytes.subarray(0, skipped.end) : bytes;
  }

  /** The positions at which lines begin. */
  places(bytes: Uint8Array): readonly number[] {
    const places: number[] = [];
    for (let at = this.#next(bytes, 0); at >= 0; at = this.#next(bytes, at + this.width)) {
      places.push(at + this.width);
    }
    return places;
  }

  #next(bytes: Uint8Array, from: number): number {
    for (let at = bytes.indexOf(LINE_FEED, from); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
      if (this.width === 1) return at;
      const start = this.encoding === 'utf-16le' ? at : at - 1;
      const other = this.encoding === 'utf-16le' ? at + 1 : at - 1;
      if (start >= from && start % 2 === 0 && bytes[other] === 0) return start;
    }
    return -1;
  }
}
