/** Most commands are over by then; waiting for one that lasts would take as long as it does. */
const PATIENCE_MS = 2_000;

/** A command's turn, to be given back when nothing of it is left. */
export interface Turn {
  /** No other command runs while this one does. */
  readonly isAlone: boolean;
  leave(): void;
}

/**
 * Lets commands run beside each other, but for one that changes what git obeys: the mounts of the others would fall off
 * the file that git replaces, and they could write it.
 */
export class CommandTurns {
  #running = 0;
  #alone: Promise<void> | undefined;
  readonly #onQuiet = new Set<() => void>();

  constructor(private readonly patienceMs = PATIENCE_MS) {}

  /** `wantsAlone` is granted only where nothing runs, or soon nothing does any more. */
  async enter(wantsAlone: boolean): Promise<Turn> {
    while (this.#alone !== undefined) await this.#alone;
    if (wantsAlone && this.#running > 0) {
      await this.#quietOrLate();
      while (this.#alone !== undefined) await this.#alone;
    }
    if (wantsAlone && this.#running === 0) {
      let end = (): void => undefined;
      this.#alone = new Promise((resolve) => {
        end = resolve;
      });
      return turn(true, () => {
        this.#alone = undefined;
        end();
      });
    }
    this.#running += 1;
    return turn(false, () => {
      this.#running -= 1;
      if (this.#running === 0) for (const tell of [...this.#onQuiet]) tell();
    });
  }

  #quietOrLate(): Promise<void> {
    return new Promise((resolve) => {
      const tell = (): void => {
        clearTimeout(late);
        this.#onQuiet.delete(tell);
        resolve();
      };
      const late = setTimeout(tell, this.patienceMs);
      this.#onQuiet.add(tell);
    });
  }
}

function turn(isAlone: boolean, leave: () => void): Turn {
  let isOver = false;
  return {
    isAlone,
    leave: () => {
      if (!isOver) leave();
      isOver = true;
    },
  };
}
