import { CHAIN_START, type ChainSeal, sealedEnd } from '../../domain/audit/audit-chain.js';

const START = 64 * 1024;
/** Of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;
/** What waits for longer than a few calls would be copied by the garbage collector. */
const MOST_WAITING = 24;
/** Bytes of a record that nobody has measured yet. */
const TYPICAL = 600;

/**
 * Collects records and words and seals them a handful at a time, because a call should not wait for the text and
 * the hashes of its own record. They become bytes then; two buffers change places, so that taking copies nothing.
 */
export class SealedLines {
  #unsealed: (() => string)[] = [];
  #filling = Buffer.allocUnsafe(START);
  #spare = Buffer.allocUnsafe(START);
  #bytes = 0;
  #last = CHAIN_START.seal;

  constructor(private readonly seal: ChainSeal) {}

  /** In bytes, as far as they are known. */
  get length(): number {
    return this.#bytes + this.#unsealed.length * TYPICAL;
  }

  /** The seal of the last record. */
  get last(): string {
    this.#sealAll();
    return this.#last;
  }

  add(body: () => string): void {
    this.#unsealed.push(body);
    if (this.#unsealed.length >= MOST_WAITING) this.#sealAll();
  }

  /** What was collected; valid until the second next take(). */
  take(): Buffer {
    this.#sealAll();
    const taken = this.#filling.subarray(0, this.#bytes);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#bytes = 0;
    return taken;
  }

  #sealAll(): void {
    for (const words of this.#unsealed) {
      const body = words();
      this.#last = this.seal(this.#last, body);
      const line = body + sealedEnd(this.#last);
      const most = line.length * MOST_BYTES;
      if (this.#bytes + most > this.#filling.length) this.#grow(this.#bytes + most);
      this.#bytes += this.#filling.write(line, this.#bytes, 'utf8');
    }
    this.#unsealed = [];
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#filling.length * 2));
    this.#filling.copy(larger, 0, 0, this.#bytes);
    this.#filling = larger;
  }
}
