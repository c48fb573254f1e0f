import { pauseProcesses, resumeProcesses } from '../process/paused-processes.js';

type Processes = () => readonly number[];

/** Much longer than it takes to set up a sandbox. */
const LONGEST_MS = 1_000;

/**
 * The commands that run. One of them may be what keeps another from being set up, by exchanging its files all the time;
 * so they are paused while that is tried again.
 */
export class ConcurrentCommands {
  readonly #running = new Set<Processes>();
  #pauses = 0;

  /** Answers what to call when nothing of the command is left. */
  add(processes: Processes): () => void {
    this.#running.add(processes);
    return () => this.#running.delete(processes);
  }

  /** Resolves when all are paused; the function resumes them, and is called after a second if nobody else does it. */
  async pause(): Promise<() => void> {
    this.#pauses += 1;
    let isOver = false;
    const resume = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#pauses -= 1;
      if (this.#pauses === 0) resumeProcesses(() => this.processes());
    };
    const timer = setTimeout(resume, LONGEST_MS);
    await pauseProcesses(() => this.processes());
    return resume;
  }

  /** Of every command that runs. */
  processes(): readonly number[] {
    return [...this.#running].flatMap((processes) => processes());
  }
}
