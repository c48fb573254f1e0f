import { StringDecoder } from 'node:string_decoder';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Keeps the first and the last bytes of a stream and counts what lay between. */
export class OutputRing {
  readonly #half: number;
  // Most commands say little: the memory is taken when it is needed.
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #headLength = 0;
  #tailLength = 0;
  #tailNext = 0;
  #total = 0;

  constructor(capacity: number) {
    this.#half = Math.max(1, Math.ceil(capacity / 2));
  }

  get total(): number {
    return this.#total;
  }

  write(chunk: Uint8Array): void {
    this.#total += chunk.length;
    if (this.#head.length === 0) this.#head = Buffer.allocUnsafeSlow(this.#half);
    const forHead = Math.min(chunk.length, this.#head.length - this.#headLength);
    this.#head.set(chunk.subarray(0, forHead), this.#headLength);
    this.#headLength += forHead;
    if (forHead < chunk.length) this.#writeTail(chunk.subarray(forHead));
  }

  #writeTail(chunk: Uint8Array): void {
    const size = this.#half;
    if (this.#tail.length === 0) this.#tail = Buffer.allocUnsafeSlow(size);
    const kept = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
    const untilEnd = Math.min(kept.length, size - this.#tailNext);
    this.#tail.set(kept.subarray(0, untilEnd), this.#tailNext);
    this.#tail.set(kept.subarray(untilEnd), 0);
    this.#tailNext = (this.#tailNext + kept.length) % size;
    this.#tailLength = Math.min(size, this.#tailLength + kept.length);
  }

  #tailBytes(): Buffer {
    if (this.#tailLength < this.#tail.length) return this.#tail.subarray(0, this.#tailLength);
    return Buffer.concat([this.#tail.subarray(this.#tailNext), this.#tail.subarray(0, this.#tailNext)]);
  }

  /** At most `budget` bytes of text plus the marker that says how much is missing. */
  render(budget: number): { readonly text: string; readonly cut: number } {
    const kept = Buffer.concat([this.#head.subarray(0, this.#headLength), this.#tailBytes()]);
    if (kept.length === this.#total && this.#total <= budget) return { text: kept.toString('utf8'), cut: 0 };
    const half = Math.max(0, Math.floor(budget / 2));
    const head = kept.subarray(0, endOfCharacter(kept, Math.min(half, this.#headLength)));
    const tail = kept.subarray(startOfCharacter(kept, Math.max(head.length, kept.length - half)));
    const cut = this.#total - head.length - tail.length;
    return { text: `${head.toString('utf8')}\n[… ${cut} bytes cut …]\n${tail.toString('utf8')}`, cut };
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

// A character has at most three continuation bytes; more of them is not UTF-8 and is cut where it falls.
function endOfCharacter(bytes: Buffer, wanted: number): number {
  let end = wanted;
  while (end > 0 && wanted - end < 3 && isContinuation(bytes[end])) end -= 1;
  return isContinuation(bytes[end]) ? wanted : end;
}

function startOfCharacter(bytes: Buffer, wanted: number): number {
  let start = wanted;
  while (start < bytes.length && start - wanted < 3 && isContinuation(bytes[start])) start += 1;
  return start;
}

/** Two streams share one budget: what one does not need, the other may use. */
export function shareBudget(budget: number, first: number, second: number): readonly [number, number] {
  if (first + second <= budget) return [first, second];
  const half = Math.floor(budget / 2);
  if (first <= half) return [first, budget - first];
  if (second <= half) return [budget - second, second];
  return [half, budget - half];
}

const MAX_LINE = 4096;

/** Cuts a byte stream into lines for progress reports; an overlong line is passed on in pieces. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(private readonly onLine: (line: string) => void) {}

  write(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.write(Buffer.from(chunk))).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    while (this.#rest.length > MAX_LINE) {
      this.onLine(this.#rest.slice(0, MAX_LINE));
      this.#rest = this.#rest.slice(MAX_LINE);
    }
  }

  end(): void {
    const last = this.#rest + this.#decoder.end();
    this.#rest = '';
    if (last !== '') this.onLine(last);
  }
}

const EVERY_BYTES = 2 * 1024 * 1024;

type MinorCollection = (options: { readonly type: 'minor' }) => void;

let collect: MinorCollection | undefined;

// Node reads a pipe into a fresh buffer each time and V8 lets some 30 MB of them pile up before it looks.
// There is no public way to read a child's pipe into one buffer, so the young ones are collected by hand.
function minorCollection(): MinorCollection {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  return typeof found === 'function' ? (options) => void found(options) : () => undefined;
}

/** Keeps the memory of a long output flat; a short output never reaches it. */
export class BufferReclaim {
  #bytes = 0;

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < EVERY_BYTES) return;
    this.#bytes = 0;
    collect ??= minorCollection();
    collect({ type: 'minor' });
  }
}
