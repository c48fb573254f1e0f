import type { RequestId } from '../surface/json-rpc.js';
import { MessageBounds } from '../surface/message-bounds.js';
import { topLevelId } from '../surface/top-level-id.js';

const NEWLINE = 0x0a;

/** Either a whole line, or word that one was over a limit and is gone. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'too-long' }
  /** It holds too much to be parsed; `id` is that of the request. */
  | { readonly kind: 'too-much'; readonly why: string; readonly id: RequestId | null };

/** What is kept of the memory for a long line, for the next one. */
const MAX_KEPT = 4 * 1024 * 1024;
const GROWTH = 4;
const NOTHING = Buffer.alloc(0);

/**
 * Cuts a byte stream into lines. The beginning of a line is held in memory that grows fourfold, so the cost is linear in
 * the size of a message; a line over the limit is dropped as it comes and never held.
 */
export class LineSplitter {
  #memory: Buffer = NOTHING;
  #held = 0;
  #skipping = false;
  #bounds = new MessageBounds();

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
    if (this.#held > 0) this.#finish(NOTHING, onLine);
  }

  #hold(part: Buffer, onLine: (line: Line) => void): void {
    if (this.#skipping) return;
    if (this.#held + part.length > this.maxBytes) {
      this.#forget();
      this.#skipping = true;
      onLine({ kind: 'too-long' });
      return;
    }
    this.#bounds.push(part);
    this.#append(part);
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
    // Counted as it came, so that no turn has more to count than one piece of input.
    const why = this.#bounds.push(part);
    this.#bounds = new MessageBounds();
    if (why !== undefined) {
      this.#append(part);
      const id = topLevelId(this.#memory.subarray(0, this.#held));
      this.#forget();
      onLine({ kind: 'too-much', why, id });
      return;
    }
    const text = this.#held === 0 ? part.toString('utf8') : this.#joined(part);
    if (text !== '' && text !== '\r') onLine({ kind: 'line', text });
  }

  #joined(part: Buffer): string {
    this.#append(part);
    const text = this.#memory.toString('utf8', 0, this.#held);
    this.#forget();
    return text;
  }

  #append(part: Buffer): void {
    const needed = this.#held + part.length;
    if (needed > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.max(needed, Math.min(GROWTH * this.#memory.length, this.maxBytes)),
      );
      this.#memory.copy(larger, 0, 0, this.#held);
      this.#memory = larger;
    }
    part.copy(this.#memory, this.#held);
    this.#held = needed;
  }

  #forget(): void {
    this.#held = 0;
    this.#bounds = new MessageBounds();
    if (this.#memory.length > MAX_KEPT) this.#memory = NOTHING;
  }
}
