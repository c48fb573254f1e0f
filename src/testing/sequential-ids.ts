import type { IdSource } from '../application/ports/system/id-source.js';

/** id-1, id-2 and so on: identifiers a test can foretell. */
export class SequentialIds implements IdSource {
  #count = 0;

  constructor(private readonly prefix = 'id') {}

  next(): string {
    this.#count += 1;
    return `${this.prefix}-${this.#count}`;
  }
}
