import { setImmediate as nextTurn } from 'node:timers/promises';
import { TURN_CHARACTERS, type Turns } from '../../application/ports/system/turns.js';

/** One count for all long work, so that two pieces of it do not share a turn. */
export class ImmediateTurns implements Turns {
  #left = TURN_CHARACTERS;
  /** All who wait for the next turn wait for the same one; what it has room for goes on, the rest waits again. */
  #next: Promise<void> | undefined;

  async take(characters: number): Promise<void> {
    while (characters > this.#left && this.#left < TURN_CHARACTERS) {
      this.#next ??= nextTurn().then(() => {
        this.#left = TURN_CHARACTERS;
        this.#next = undefined;
      });
      await this.#next;
    }
    this.#left -= characters;
  }
}

/** Of this process, which has one event loop, however many servers share it. */
export const EVENT_LOOP = new ImmediateTurns();
