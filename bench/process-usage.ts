import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

// USER_HZ is 100 on every Linux that Node supports; it is not the kernel's own HZ.
const MICROSECONDS_A_TICK = 10_000;

/** CPU time of one process so far, in microseconds. Let it go idle first: a running slice counts only when it ends. */
export function cpuMicroseconds(pid: number): number {
  if (process.platform !== 'linux') return parsePsTime(ps(pid, 'time'));
  return scheduledMicroseconds(pid) ?? parseStatTicks(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** CPU time of the children that a process has had and waited for, in microseconds; NaN where nobody tells. */
export function childMicroseconds(pid: number | 'self'): number {
  if (process.platform !== 'linux') return Number.NaN;
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * MICROSECONDS_A_TICK;
}

/** Resident memory of one process, in bytes. */
export function residentBytes(pid: number): number {
  if (process.platform !== 'linux') return Number(ps(pid, 'rss')) * 1024;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no VmRSS: it has ended`);
  return Number(kilobytes) * 1024;
}

/** User and system time of a `/proc/PID/stat` line; the name in parentheses may hold spaces and parentheses. */
export function parseStatTicks(line: string): number {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_A_TICK;
}

/** The time column of ps: `[[days-]hours:]minutes:seconds[.hundredths]`. */
export function parsePsTime(text: string): number {
  const [clock = '', days = '0'] = text.trim().split('-').reverse();
  const seconds = clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1_000_000);
}

// Nanoseconds a thread, where /proc/PID/stat has ticks of 10 ms. Some kernels are built without it.
function scheduledMicroseconds(pid: number): number | undefined {
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const text = readUnlessMissing(`/proc/${pid}/task/${task}/schedstat`);
    nanoseconds += Number(text?.split(' ')[0] ?? 0);
  }
  return nanoseconds === 0 ? undefined : nanoseconds / 1000;
}

function readUnlessMissing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

function ps(pid: number, column: string): string {
  return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
}
