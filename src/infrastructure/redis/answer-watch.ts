const LOOK_MS = 250;

interface Asked {
  readonly atLook: number;
  readonly giveUp: (error: Error) => void;
}

/**
 * Gives up on answers that are overdue, counted in looks rather than by the clock: when this process itself stood
 * still, as on a machine with too much to do, the answer may have arrived long ago and is read before the next look.
 */
export class AnswerWatch {
  /** Oldest first. */
  readonly #waiting = new Set<Asked>();
  readonly #looks: number;
  #look = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    limitMs: number,
    private readonly onOverdue: () => void,
  ) {
    this.#looks = Math.ceil(limitMs / LOOK_MS);
  }

  /** As `answer`, or rejected when that does not come. */
  within<T>(answer: Promise<T>): Promise<T> {
    this.#timer ??= setInterval(() => this.#lookAround(), LOOK_MS).unref();
    return new Promise((resolve, reject) => {
      const asked: Asked = { atLook: this.#look, giveUp: reject };
      this.#waiting.add(asked);
      const settled = () => this.#waiting.delete(asked);
      answer.then(
        (value) => {
          settled();
          resolve(value);
        },
        (error: unknown) => {
          settled();
          reject(error);
        },
      );
    });
  }

  #lookAround(): void {
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#look += 1;
    let isOverdue = false;
    for (const asked of this.#waiting) {
      if (this.#look - asked.atLook <= this.#looks) break;
      this.#waiting.delete(asked);
      asked.giveUp(new Error('No answer in time'));
      isOverdue = true;
    }
    if (isOverdue) this.onOverdue();
  }
}
