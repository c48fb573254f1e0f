/** The function that the instrumented code asks of every mutant, and what it learns from being asked. */
declare global {
  var __mutant: (id: number) => boolean;
}

/** A loop that a mutant keeps from ending asks its switch for ever. */
const MOST_STEPS = 20_000_000;

export class MutantSwitch {
  #reached: number[] = [];
  readonly #isReached: boolean[] = [];
  #steps = 0;

  /** Everything that is asked from now on is remembered, and nothing is changed. */
  record(): void {
    const isReached = this.#isReached;
    globalThis.__mutant = (id) => {
      if (!isReached[id]) {
        isReached[id] = true;
        this.#reached.push(id);
      }
      return false;
    };
  }

  /** What was asked since the last time. */
  takeReached(): readonly number[] {
    const taken = this.#reached;
    for (const id of taken) this.#isReached[id] = false;
    this.#reached = [];
    return taken;
  }

  turnOn(active: number): void {
    this.#steps = 0;
    globalThis.__mutant = (id) => {
      this.#steps += 1;
      if (this.#steps > MOST_STEPS) throw new Error('This mutant goes on for ever.');
      return id === active;
    };
  }

  /** A test begins: it has all its steps before it. */
  restart(): void {
    this.#steps = 0;
  }

  turnOff(): void {
    globalThis.__mutant = () => false;
  }
}
