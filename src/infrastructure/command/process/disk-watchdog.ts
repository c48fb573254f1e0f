import { lstatSync, readdirSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

const INTERVAL_MS = 200;
const BLOCK = 512;
const ENTRIES_A_TURN = 500;
/** A closer look may take this part of the time and no more. */
const CLOSE_LOOK_SHARE = 0.2;

export interface DiskWatch {
  /** Folders that a command can write. */
  readonly folders: readonly string[];
  readonly limitBytes: number;
  readonly processes: () => readonly number[];
}

/**
 * Calls back once when a command has written more than the limit. There is no quota to rely on: the free space of the
 * file systems is looked at, which others use as well, and only where that has shrunk by more than the limit is
 * counted what changed since the command began, with files that have no name any more.
 */
export function watchDisk({ folders, limitBytes, processes }: DiskWatch, onExceeded: () => void): () => void {
  // A second is the coarsest clock of a file system.
  const since = Date.now() - 1_000;
  const before = usedIn(folders);
  let isOver = false;
  let lookFrom = 0;
  const look = async (): Promise<void> => {
    const started = performance.now();
    if (isOver || started < lookFrom || !hasGrown(before, usedIn(folders), limitBytes)) return;
    lookFrom = Number.POSITIVE_INFINITY;
    const bytes = unnamed(processes()) + (await changed(folders, since, limitBytes));
    lookFrom = performance.now() + (performance.now() - started) / CLOSE_LOOK_SHARE;
    if (isOver || bytes <= limitBytes) return;
    isOver = true;
    onExceeded();
  };
  const timer = setInterval(() => void look(), INTERVAL_MS);
  timer.unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

type Used = ReadonlyMap<string, number>;

function usedIn(folders: readonly string[]): Used {
  return new Map(folders.map((folder) => [folder, usedBytes(folder)]));
}

function usedBytes(folder: string): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(folder);
    return (blocks - bfree) * bsize;
  } catch {
    // Not there, or gone.
    return 0;
  }
}

function hasGrown(before: Used, now: Used, limitBytes: number): boolean {
  return [...now].some(([folder, bytes]) => bytes - (before.get(folder) ?? 0) > limitBytes);
}

/** Of files whose last change, which no program can set back, is not older than the command. */
async function changed(folders: readonly string[], since: number, enough: number): Promise<number> {
  const open = [...folders];
  const seen = new Set<string>();
  let bytes = 0;
  let entries = 0;
  for (let folder = open.pop(); folder !== undefined && bytes <= enough; folder = open.pop()) {
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      const found = look(path);
      if (found === undefined) continue;
      if (found.isDirectory()) open.push(path);
      const key = `${found.dev}:${found.ino}`;
      if (found.ctimeMs >= since && !seen.has(key)) {
        if (found.nlink > 1) seen.add(key);
        bytes += found.blocks * BLOCK;
      }
      entries += 1;
      if (entries % ENTRIES_A_TURN === 0) await turn();
    }
  }
  return bytes;
}

/** Files that were removed and are still open. */
function unnamed(processes: readonly number[]): number {
  const files = new Map<string, number>();
  for (const pid of processes) {
    for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
      try {
        const link = `/proc/${pid}/fd/${descriptor}`;
        if (!readlinkSync(link).endsWith(' (deleted)')) continue;
        const { dev, ino, blocks } = statSync(link);
        files.set(`${dev}:${ino}`, blocks * BLOCK);
      } catch {
        // Closed since it was listed.
      }
    }
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Gone, or closed to the server.
    return [];
  }
}

function look(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A folder on the way became something else.
    return undefined;
  }
}
