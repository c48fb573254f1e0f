import { type ChainSeal, sealedEnd } from '../../domain/audit/audit-chain.js';

const START = 64 * 1024;
/** Of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;

/**
 * Collects sealed records as bytes: strings that wait would live long enough to be copied by the garbage
 * collector, which costs more than writing them. Two buffers change places, so that taking copies nothing.
 */
export class SealedLines {
  #filling = Buffer.allocUnsafe(START);
  #spare = Buffer.allocUnsafe(START);
  #length = 0;

  constructor(private readonly seal: ChainSeal) {}

  get length(): number {
    return this.#length;
  }

  /** Appends one record and returns its seal. */
  add(previous: string, body: string): string {
    const seal = this.seal(previous, body);
    const line = body + sealedEnd(seal);
    const most = line.length * MOST_BYTES;
    if (this.#length + most > this.#filling.length) this.#grow(this.#length + most);
    this.#length += this.#filling.write(line, this.#length, 'utf8');
    return seal;
  }

  /** What was collected; valid until the second next take(). */
  take(): Buffer {
    const taken = this.#filling.subarray(0, this.#length);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#length = 0;
    return taken;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#filling.length * 2));
    this.#filling.copy(larger, 0, 0, this.#length);
    this.#filling = larger;
  }
}
