import { mkdir, rmdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const STALE_MS = 10_000;
const PAUSE_MS = 20;
const ATTEMPTS = 1000;

/** Runs `work` while this process alone holds the folder `path`. One that a crash left behind is removed. */
export async function withFolderLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; !(await take(path)); attempt += 1) {
    if (attempt >= ATTEMPTS)
      throw new Error(`${path} is held by another process; remove it if none is running`);
    await sleep(PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    await rmdir(path);
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > STALE_MS) await rmdir(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
  return false;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
