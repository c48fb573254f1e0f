/** The function that the instrumented code asks of every mutant, and what it learns from being asked. */
declare global {
  var __mutant: (id: number) => boolean;
}

/** A loop that a mutant keeps from ending asks its switch for ever. */
const MOST_STEPS = 3_000_000;

export class MutantSwitch {
  #reached = new Set<number>();
  #steps = 0;

  /** Everything that is asked from now on is remembered, and nothing is changed. */
  record(): void {
    globalThis.__mutant = (id) => {
      this.#reached.add(id);
      this.#steps += 1;
      return false;
    };
  }

  /** What was asked since the last time, and how often. */
  takeReached(): { readonly mutants: readonly number[]; readonly steps: number } {
    const taken = { mutants: [...this.#reached], steps: this.#steps };
    this.#reached = new Set();
    this.#steps = 0;
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
