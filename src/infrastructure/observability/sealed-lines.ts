import { sealedEnd } from '../../domain/audit/audit-chain.js';
import type { AuditSeal } from './audit-seal.js';

const START = 64 * 1024;
const END_LENGTH = 128;

/**
 * Collects sealed records as bytes: strings that wait would live long enough to be copied by the garbage
 * collector, which costs more than writing them. Two buffers change places, so that taking copies nothing.
 */
export class SealedLines {
  #filling = Buffer.allocUnsafe(START);
  #spare = Buffer.allocUnsafe(START);
  #message = Buffer.allocUnsafe(4096);
  #messageStart: number;
  #length = 0;

  constructor(private readonly seal: AuditSeal) {
    this.#messageStart = seal.startMessage(this.#message);
  }

  get length(): number {
    return this.#length;
  }

  /** Appends one record and returns its seal. The body is encoded once, for the seal and for the file. */
  add(previous: string, body: string): string {
    this.#makeRoom((body.length + END_LENGTH) * 3);
    const message = this.#message;
    const start = message.write(`${previous}\n`, this.#messageStart, 'latin1') + this.#messageStart;
    const end = start + message.write(body, start, 'utf8');
    const seal = this.seal.hmacOf(message.subarray(0, end));
    this.#length += message.copy(this.#filling, this.#length, start, end);
    this.#length += this.#filling.write(sealedEnd(seal), this.#length, 'latin1');
    return seal;
  }

  /** What was collected; valid until the second next take(). */
  take(): Buffer {
    const taken = this.#filling.subarray(0, this.#length);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#length = 0;
    return taken;
  }

  #makeRoom(needed: number): void {
    if (this.#length + needed > this.#filling.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length + needed, this.#filling.length * 2));
      this.#filling.copy(larger, 0, 0, this.#length);
      this.#filling = larger;
    }
    if (this.#messageStart + needed > this.#message.length) {
      this.#message = Buffer.allocUnsafe(this.#messageStart + needed * 2);
      this.seal.startMessage(this.#message);
    }
  }
}
