import { readFileSync } from 'node:fs';
import { errnoOf } from '../file/file-fault.js';

/**
 * `<pid>-<start time>`: a name that no later process can have, as far as the platform tells. Without /proc the
 * start time is 0 and only the number counts.
 */
export function ownIdentity(): string {
  return `${process.pid}-${startTimeOf(process.pid) ?? 0}`;
}

export function isAlive(identity: string): boolean {
  const [pid, start] = identity.split('-').map(Number);
  if (pid === undefined || !Number.isSafeInteger(pid) || pid <= 0) return false;
  const current = startTimeOf(pid);
  if (current !== undefined) return current === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
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
