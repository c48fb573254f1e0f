import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const PASSES = 400;
const PAUSE_MS = 2;
/** Stopped, traced, ended, or deep in the kernel from where it comes back stopped. */
const AT_REST = /^[TtZXD]/;

/** Stops all processes that `list` names. False: something still runs after many tries. */
export async function pauseProcesses(list: () => readonly number[]): Promise<boolean> {
  const told = new Set<number>();
  for (let pass = 0; pass < PASSES; pass += 1) {
    const processes = list();
    // One that was stopped cannot fork, and cannot wake another: when all that are listed rest, nothing is missing.
    if (processes.every((pid) => told.has(pid) && isAtRest(pid))) return true;
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

function isAtRest(pid: number): boolean {
  return AT_REST.test(stateOf(pid));
}

function stateOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return status.slice(status.lastIndexOf(')') + 2);
  } catch {
    // There is no such process any more.
    return 'X';
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
