const NEWLINE = 0x0a;

/** Either a whole line, or word that one was over the limit and is gone. */
export type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too-long' };

/**
 * Cuts a byte stream into lines. Chunks are kept in a list and joined once a line, so the cost is linear in
 * the size of a message; a line over the limit is dropped as it comes and never held.
 */
export class LineSplitter {
  #chunks: Buffer[] = [];
  #held = 0;
  #skipping = false;

  constructor(private readonly maxBytes: number) {}

  /** The chunk's memory is the source's own again when this returns. */
  push(chunk: Buffer, onLine: (line: Line) => void): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finish(chunk.subarray(start, end), onLine);
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start), onLine);
  }

  /** The last line may lack its newline. */
  end(onLine: (line: Line) => void): void {
    if (this.#held > 0) this.#finish(Buffer.alloc(0), onLine);
  }

  #hold(part: Buffer, onLine: (line: Line) => void): void {
    if (this.#skipping) return;
    this.#chunks.push(Buffer.from(part));
    this.#held += part.length;
    if (this.#held > this.maxBytes) {
      this.#forget();
      this.#skipping = true;
      onLine({ kind: 'too-long' });
    }
  }

  #finish(part: Buffer, onLine: (line: Line) => void): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    if (this.#held + part.length > this.maxBytes) {
      this.#forget();
      onLine({ kind: 'too-long' });
      return;
    }
    const text = this.#held === 0 ? part.toString('utf8') : this.#joined(part);
    if (text !== '' && text !== '\r') onLine({ kind: 'line', text });
  }

  #joined(part: Buffer): string {
    this.#chunks.push(part);
    const text = Buffer.concat(this.#chunks, this.#held + part.length).toString('utf8');
    this.#forget();
    return text;
  }

  #forget(): void {
    this.#chunks = [];
    this.#held = 0;
  }
}
