import { freeze, thaw } from '../view/mount/frozen-processes.js';

type Processes = () => readonly number[];

/** Much longer than it takes to set up a sandbox. */
const LONGEST_MS = 1_000;

/**
 * The commands that run. One of them may be what keeps another from being set up, by exchanging its files all the time;
 * so they rest while that is tried again.
 */
export class RunningNeighbours {
  readonly #running = new Set<Processes>();
  #resting = 0;

  /** Answers what to call when nothing of the command is left. */
  add(processes: Processes): () => void {
    this.#running.add(processes);
    return () => this.#running.delete(processes);
  }

  /** Resolves when all rest; the function lets them go on, and is called after a second if nobody else does it. */
  async rest(): Promise<() => void> {
    this.#resting += 1;
    let isOver = false;
    const wake = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#resting -= 1;
      if (this.#resting === 0) thaw(() => this.all());
    };
    const timer = setTimeout(wake, LONGEST_MS);
    await freeze(() => this.all());
    return wake;
  }

  /** The processes of every command that runs. */
  all(): readonly number[] {
    return [...this.#running].flatMap((processes) => processes());
  }
}
