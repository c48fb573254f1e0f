import { wholeStart } from '../../../domain/text/short-lines.js';
import { fittingLength } from '../../../domain/text/token-estimate.js';

export interface OutputPage {
  readonly text: string;
  /** Where the next page begins. */
  readonly cursor: number;
  /** Bytes before this page that are no longer kept. */
  readonly skipped: number;
}

const FIRST_BYTES = 4_096;
const NEWLINE = 10;

/** The last bytes that a process has printed, with positions counted from its start. */
export class ProcessOutput {
  // Most processes print little, so memory is allocated on demand.
  #bytes = new Uint8Array(FIRST_BYTES);
  #end = 0;
  #lineEnd = 0;

  constructor(private readonly capacity: number) {}

  /** The number of bytes ever printed. */
  get end(): number {
    return this.#end;
  }

  /** The end of the last complete line. */
  get lineEnd(): number {
    return this.#lineEnd;
  }

  get #start(): number {
    return Math.max(0, this.#end - this.#bytes.length);
  }

  append(chunk: Uint8Array): void {
    this.#grow(chunk.length);
    const size = this.#bytes.length;
    const kept = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
    const at = (this.#end + chunk.length - kept.length) % size;
    const untilEnd = Math.min(kept.length, size - at);
    this.#bytes.set(kept.subarray(0, untilEnd), at);
    this.#bytes.set(kept.subarray(untilEnd), 0);
    const newline = chunk.lastIndexOf(NEWLINE);
    if (newline >= 0) this.#lineEnd = this.#end + newline + 1;
    this.#end += chunk.length;
  }

  /** `isWhole`: nothing follows, so half a character at the end will not be completed. */
  page(from: number, maxBytes: number, isWhole: boolean): OutputPage {
    const wanted = Math.min(from, this.#end);
    let start = Math.max(wanted, this.#start);
    // If the beginning was overwritten, a character may have been cut.
    if (start > wanted) start = this.#startOfCharacter(start);
    let end = Math.min(this.#end, start + maxBytes);
    if (end < this.#end || !isWhole) end = this.#endOfCharacter(start, end);
    return { text: new TextDecoder().decode(this.#slice(start, end)), cursor: end, skipped: start - wanted };
  }

  /** The same with a limit on tokens: up to the end of a line, if there is one. */
  fittingPage(from: number, maxBytes: number, isWhole: boolean, maxTokens: number): OutputPage {
    const page = this.page(from, maxBytes, isWhole);
    const length = fittingLength(page.text, maxTokens);
    if (length >= page.text.length) return page;
    const line = page.text.lastIndexOf('\n', length - 1) + 1;
    const text = line > 0 ? page.text.slice(0, line) : wholeStart(page.text, length);
    const bytes = new TextEncoder().encode(text).length;
    // Invalid UTF-8 takes more space as text than as bytes.
    return { ...page, text, cursor: Math.min(page.cursor, from + page.skipped + bytes) };
  }

  /** The position where the last lines begin. */
  lastLines(lines: number): number {
    let left = lines;
    for (let at = this.#end - 1; at > this.#start; at -= 1) {
      if (this.#at(at - 1) === NEWLINE) left -= 1;
      if (left === 0) return at;
    }
    return this.#start;
  }

  #grow(more: number): void {
    const wanted = Math.min(this.capacity, this.#end + more);
    if (wanted <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.min(this.capacity, Math.max(wanted, 2 * this.#bytes.length)));
    // While the buffer grows, nothing was overwritten.
    grown.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = grown;
  }

  #at(position: number): number {
    return this.#bytes[position % this.#bytes.length] ?? 0;
  }

  #slice(start: number, end: number): Uint8Array {
    const size = this.#bytes.length;
    const [from, to] = [start % size, end % size];
    if (end - start === 0) return new Uint8Array();
    if (from < to) return this.#bytes.subarray(from, to);
    const joined = new Uint8Array(end - start);
    joined.set(this.#bytes.subarray(from), 0);
    joined.set(this.#bytes.subarray(0, to), size - from);
    return joined;
  }

  // A character has at most three continuation bytes; longer runs are not UTF-8 and are cut anywhere.
  #startOfCharacter(wanted: number): number {
    let start = wanted;
    while (start < this.#end && start - wanted < 3 && isContinuation(this.#at(start))) start += 1;
    return start;
  }

  #endOfCharacter(start: number, wanted: number): number {
    for (let back = 1; back <= 3 && wanted - back >= start; back += 1) {
      const byte = this.#at(wanted - back);
      if (isContinuation(byte)) continue;
      return back < lengthOf(byte) ? wanted - back : wanted;
    }
    return wanted;
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The length of the character that begins with this byte. */
function lengthOf(byte: number): number {
  if (byte >= 0xf0 && byte < 0xf8) return 4;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xc0 && byte < 0xe0 ? 2 : 1;
}
