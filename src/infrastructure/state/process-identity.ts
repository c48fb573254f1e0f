import { readFileSync, readlinkSync } from 'node:fs';
import { errnoOf, hasErrno } from './errno.js';

/**
 * `<pid>-<start time>`: a name that no later process can have, as far as the platform tells. Without /proc the
 * start time is 0 and only the number counts.
 */
export function ownIdentity(): string {
  return `${process.pid}-${startTimeOf(process.pid) ?? 0}`;
}

export function isAlive(identity: string): boolean {
  const [pid = 0, start] = identity.split('-').map(Number);
  if (!isProcess(pid)) return false;
  const current = startTimeOf(pid);
  return current === undefined || current === start;
}

/** Some process has this number now, ours or another user's. */
export function isProcess(pid: number): boolean {
  // Other numbers mean groups, or every process there is.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasErrno(error, 'ESRCH');
  }
}

/**
 * Names this start of this machine and the process namespace in it: the numbers of processes mean something only
 * there. Empty where the platform does not tell.
 */
export function processPlace(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return '';
  }
}

/** In clock ticks since boot; field 22 of /proc/PID/stat, counted behind the name, which may contain anything. */
function startTimeOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
