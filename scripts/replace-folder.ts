import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Makes `folder` anew: `fill` writes into a folder beside it, which takes its place when it is whole. Programs
 * that run from the folder find it complete but for the instant between two renames, and a `fill` that fails
 * leaves it as it was.
 */
export async function replaceFolder(folder: string, fill: (staging: string) => Promise<void>): Promise<void> {
  clearLeftovers(folder);
  const staging = `${folder}.next-${process.pid}`;
  const last = `${folder}.last-${process.pid}`;
  try {
    mkdirSync(staging);
    await fill(staging);
    if (existsSync(folder)) renameSync(folder, last);
    renameSync(staging, folder);
  } finally {
    if (!existsSync(folder) && existsSync(last)) renameSync(last, folder);
    rmSync(staging, { recursive: true, force: true });
    rmSync(last, { recursive: true, force: true });
  }
}

/** What builds left behind that were ended in the middle; one that still runs keeps what it has. */
function clearLeftovers(folder: string): void {
  const place = dirname(folder);
  const prefix = `${basename(folder)}.`;
  for (const name of readdirSync(place)) {
    const [, kind, pid] =
      /^(next|last)-(\d+)$/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? [];
    if (kind === undefined || isRunning(Number(pid))) continue;
    // Ended between the two renames: the last complete folder goes back to its place.
    if (kind === 'last' && !existsSync(folder)) renameSync(join(place, name), folder);
    else rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be signalled, and is there all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
