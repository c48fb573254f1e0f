import { randomBytes } from 'node:crypto';
import { injectable } from 'inversify';
import type { IdSource } from '../../application/ports/id-source.js';

/** A random part a process and a counter: as unique as a UUID at a tenth of the cost. */
@injectable()
export class RandomIdSource implements IdSource {
  readonly #process = randomBytes(9).toString('base64url');
  #count = 0;

  next(): string {
    this.#count += 1;
    return `${this.#process}-${this.#count.toString(36)}`;
  }
}
