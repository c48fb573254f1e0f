import { jsonSize } from '../../domain/json-size.js';
import type { JsonValue } from '../../domain/json-value.js';

/** Space for the envelope around the list, with a cursor and an instruction. */
const ENVELOPE_BYTES = 1500;

/** Collects the items of a result as long as they fit; the first always does. */
export class FittingPage<T extends JsonValue> {
  readonly items: T[] = [];
  #room: number;

  constructor(maxBytes: number) {
    this.#room = maxBytes - ENVELOPE_BYTES;
  }

  /** Returns false if the item does not fit and was not added. */
  take(item: T): boolean {
    this.#room -= jsonSize(item) + 1;
    if (this.#room < 0 && this.items.length > 0) return false;
    this.items.push(item);
    return true;
  }
}
