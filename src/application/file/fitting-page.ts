import { jsonSize } from '../../domain/json-size.js';
import type { JsonValue } from '../../domain/json-value.js';

/** What the envelope around the list takes, with a cursor and an instruction. */
const ENVELOPE_BYTES = 1500;

/** Takes the items of an answer as long as it may hold them, and the first in any case. */
export class FittingPage<T extends JsonValue> {
  readonly items: T[] = [];
  #room: number;

  constructor(maxBytes: number) {
    this.#room = maxBytes - ENVELOPE_BYTES;
  }

  /** False: the item does not fit any more and was not taken. */
  take(item: T): boolean {
    this.#room -= jsonSize(item) + 1;
    if (this.#room < 0 && this.items.length > 0) return false;
    this.items.push(item);
    return true;
  }
}
