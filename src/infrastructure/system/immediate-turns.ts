import { setImmediate as nextTurn } from 'node:timers/promises';
import { TURN_CHARACTERS, type Turns } from '../../application/ports/system/turns.js';

/** One count for all long work, so that two pieces of it do not share a turn. */
export class ImmediateTurns implements Turns {
  #left = TURN_CHARACTERS;

  async take(characters: number): Promise<void> {
    while (characters > this.#left && this.#left < TURN_CHARACTERS) {
      await nextTurn();
      this.#left = TURN_CHARACTERS;
    }
    this.#left -= characters;
  }
}
