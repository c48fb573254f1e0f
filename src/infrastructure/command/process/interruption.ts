import type { ChildProcess } from 'node:child_process';
import { hasErrno } from '../../state/errno.js';

/** Why a command is ended before it ends by itself. */
export type Interruption =
  | { readonly kind: 'timeout' | 'memory' | 'cancelled' | 'not-saved' }
  | { readonly kind: 'ended' | 'not-admitted'; readonly why: string };

/** What is asked to end may tidy up for so long. */
export const GRACE_MS = 3_000;

/** Nothing is wrong with the command: its time is over, or nobody wants it any more. It is asked before it is ended. */
export function isGentle({ kind }: Interruption): boolean {
  return kind === 'timeout' || kind === 'cancelled';
}

/** Ends a command that leads a process group. What left the group escapes; only a PID namespace holds that. */
export function killGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGKILL');
}

/** Asks it to end. */
export function terminateGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
}

/** Asks processes to end; those that have ended already do not matter. */
export function terminateAll(processes: readonly number[]): void {
  for (const pid of processes) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch (error) {
      if (!hasErrno(error, 'ESRCH')) throw error;
    }
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    const isGone = hasErrno(error, 'ESRCH');
    if (!isGone) child.kill(signal);
  }
}
