import { readdirSync, readFileSync } from 'node:fs';

const INTERVAL_MS = 100;
const MAX_PROCESSES = 4096;

/** The descendants of a process, by the kernel's own lists; a process that ends meanwhile is left out. */
export function descendantsOf(root: number): readonly number[] {
  const found: number[] = [];
  const queue = [root];
  for (let pid = queue.pop(); pid !== undefined && found.length < MAX_PROCESSES; pid = queue.pop()) {
    for (const child of childrenOf(pid)) {
      found.push(child);
      queue.push(child);
    }
  }
  return found;
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    // It has ended since its number was read.
    return [];
  }
}

function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return kilobytes(status, 'RssAnon') + kilobytes(status, 'RssShmem');
  } catch {
    // It has ended, and its memory with it.
    return 0;
  }
}

function kilobytes(status: string, field: string): number {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status);
  return match?.[1] === undefined ? 0 : Number(match[1]) * 1024;
}

function residentBytesOfTree(root: number): number {
  return [root, ...descendantsOf(root)].reduce((sum, pid) => sum + residentBytes(pid), 0);
}

/** Calls back once when the tree's memory passes the limit. Answers how to stop looking. */
export function watchMemory(root: number, limitBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    if (residentBytesOfTree(root) <= limitBytes) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
