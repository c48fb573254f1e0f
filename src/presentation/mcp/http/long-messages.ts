import { setImmediate as nextTurn } from 'node:timers/promises';
import { TURN_CHARACTERS, type Turns } from '../../../application/ports/system/turns.js';

/** Characters that take long enough to be read for others to notice. */
const LONG_MESSAGE = 32 * 1024;
/** A call that is not answered by then has something else to wait for. */
const PATIENCE_MS = 30;
/** One long message now and then keeps nobody waiting. */
const RECENT_MS = 1_000;
/** Whoever waits for a connection gets it: the system hands over one a turn, in the order in which they came. */
const REST_TURNS = 40;

/** Long messages are read one at a time. Between two of them, the short ones that have come are answered. */
export class LongMessages {
  /** When each short message came that is not answered yet. */
  readonly #inHand = new Map<Promise<unknown>, number>();
  #last: Promise<void> = Promise.resolve();
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly turns: Turns) {}

  /** Resolves when a message of this length may be read, which is at once for short ones. */
  async take(length: number): Promise<void> {
    if (length <= LONG_MESSAGE) return;
    const mine = this.#last.then(() => this.#turn());
    this.#last = mine;
    await mine;
  }

  /** Notes a message until it is answered. */
  async answering(length: number, work: Promise<void>): Promise<void> {
    if (length > LONG_MESSAGE) return work;
    const over = work.catch(() => undefined);
    this.#inHand.set(over, performance.now());
    try {
      await work;
    } finally {
      this.#inHand.delete(over);
    }
  }

  async #turn(): Promise<void> {
    if (performance.now() - this.#lastAt < RECENT_MS) {
      for (let turn = 0; turn < REST_TURNS; turn += 1) await nextTurn();
      await this.#othersAnswered();
    }
    await this.turns.take(TURN_CHARACTERS);
    // The message is read, and most of its work done, before this turn ends.
    void nextTurn().then(() => {
      this.#lastAt = performance.now();
    });
    this.#lastAt = performance.now();
  }

  async #othersAnswered(): Promise<void> {
    const now = performance.now();
    const young = [...this.#inHand].filter(([, since]) => now - since < PATIENCE_MS);
    if (young.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    await Promise.race([Promise.all(young.map(([over]) => over)), patience]);
    clearTimeout(timer);
  }
}
