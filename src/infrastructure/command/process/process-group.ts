import type { ChildProcess } from 'node:child_process';
import { hasErrno } from '../../state/errno.js';

/** Ends a command that leads a process group. What left the group escapes; only a PID namespace holds that. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    const isGone = hasErrno(error, 'ESRCH');
    if (!isGone) child.kill('SIGKILL');
  }
}
