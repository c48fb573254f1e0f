import { CHAIN_START, type ChainSeal, sealedEnd } from '../../domain/audit/audit-chain.js';

const START = 64 * 1024;
/** Of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;
/** Strings that wait for longer than a few calls would be copied by the garbage collector. */
const MOST_WAITING = 16 * 1024;

/**
 * Collects records and seals them a handful at a time, because a call should not wait for the hashes of its own
 * record. They become bytes then; two buffers change places, so that taking copies nothing.
 */
export class SealedLines {
  #unsealed: string[] = [];
  #characters = 0;
  #filling = Buffer.allocUnsafe(START);
  #spare = Buffer.allocUnsafe(START);
  #bytes = 0;
  #last = CHAIN_START.seal;

  constructor(private readonly seal: ChainSeal) {}

  /** In bytes, as far as they are known. */
  get length(): number {
    return this.#bytes + this.#characters;
  }

  /** The seal of the last record. */
  get last(): string {
    this.#sealAll();
    return this.#last;
  }

  add(body: string): void {
    this.#unsealed.push(body);
    this.#characters += body.length;
    if (this.#characters >= MOST_WAITING) this.#sealAll();
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
    for (const body of this.#unsealed) {
      this.#last = this.seal(this.#last, body);
      const line = body + sealedEnd(this.#last);
      const most = line.length * MOST_BYTES;
      if (this.#bytes + most > this.#filling.length) this.#grow(this.#bytes + most);
      this.#bytes += this.#filling.write(line, this.#bytes, 'utf8');
    }
    this.#unsealed = [];
    this.#characters = 0;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#filling.length * 2));
    this.#filling.copy(larger, 0, 0, this.#bytes);
    this.#filling = larger;
  }
}
