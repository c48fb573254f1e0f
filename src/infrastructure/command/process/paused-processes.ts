import { setTimeout as sleep } from 'node:timers/promises';
import { TURN_CHARACTERS } from '../../../application/ports/system/turns.js';
import { EVENT_LOOP } from '../../system/immediate-turns.js';
import { textOf } from './memory-watchdog.js';

const PASSES = 400;
const PAUSE_MS = 2;
/** Stopped, traced or ended. */
const AT_REST = /^[TtZX]/;
/**
 * Deep in the kernel, from where it comes back stopped. For a moment it may be opening a file: the descriptor would come
 * after whoever looks for it. One that stays there for so many looks waits for another that is stopped, as after vfork.
 */
const IN_KERNEL = /^D/;
const LOOKS_IN_KERNEL = 20;

/** Stops all processes that `list` names. False: something still runs after many tries. */
export async function pauseProcesses(list: () => readonly number[]): Promise<boolean> {
  const told = new Set<number>();
  const inKernel = new Map<number, number>();
  const rests = (pid: number): boolean => {
    const state = stateOf(pid);
    const looks = IN_KERNEL.test(state) ? (inKernel.get(pid) ?? 0) + 1 : 0;
    inKernel.set(pid, looks);
    return AT_REST.test(state) || looks >= LOOKS_IN_KERNEL;
  };
  let rested = new Set<number>();
  for (let pass = 0; pass < PASSES; pass += 1) {
    const processes = list();
    // One that was stopped cannot fork, and cannot wake another: when all that are listed rested before, and none has
    // gone, nothing is missing. One that stops while they are listed may have a child that is not.
    if (processes.length === rested.size && processes.every((pid) => rested.has(pid))) return true;
    rested = new Set(processes.filter((pid) => told.has(pid) && rests(pid)));
    await turnFor(processes.length);
    if (rested.size === processes.length) continue;
    for (const pid of processes) {
      signal(pid, 'SIGSTOP');
      told.add(pid);
    }
    if (pass > 0) await sleep(PAUSE_MS);
  }
  return false;
}

export function resumeProcesses(list: () => readonly number[]): void {
  for (const pid of list()) signal(pid, 'SIGCONT');
}

/** Also while nobody has taken note of it yet. */
export function hasEnded(pid: number): boolean {
  return /^[ZX]/.test(stateOf(pid));
}

function stateOf(pid: number): string {
  const status = textOf(`/proc/${pid}/stat`);
  // Empty: there is no such process any more.
  return status === '' ? 'X' : status.slice(status.lastIndexOf(')') + 2);
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

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

/** What one turn of the event loop has room for: to list them, to look at their states, to signal them. */
const PROCESSES_A_TURN = 512;

/**
 * Resolves when this many processes may be looked at without a break. Commands of several callers end, and are watched,
 * at the same moment: all of them together would keep everybody waiting.
 */
export function turnFor(processes: number): Promise<void> {
  return EVENT_LOOP.take(Math.ceil((processes * TURN_CHARACTERS) / PROCESSES_A_TURN));
}
