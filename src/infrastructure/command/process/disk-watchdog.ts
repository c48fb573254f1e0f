import { lstatSync, readdirSync, readFileSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

const INTERVAL_MS = 200;
const BLOCK = 512;
/** What every file, folder and link counts at least: a file system has only so many, and empty ones take no blocks. */
const INODE_BYTES = 4_096;
const ENTRIES_A_TURN = 500;
/** A closer look may take this part of the time and no more. */
const CLOSE_LOOK_SHARE = 0.2;
/** A command that wrote less than this part of the limit is not to blame for what is there. */
const NOTABLE_PARTS = 64;

export interface DiskWatch {
  /** Folders that a command can write. */
  readonly folders: readonly string[];
  readonly limitBytes: number;
  readonly processes: () => readonly number[];
  /** Of every command that runs. */
  readonly everyone: () => readonly number[];
  readonly writers: DiskWriters;
  /** What the commands of one session have written together. */
  readonly account: DiskAccount;
}

/**
 * Calls back once when a command is to be ended because more than the limit was written. There is no quota to rely on:
 * the free space of the file systems is looked at, which others use as well, and only where that has shrunk enough is
 * counted what changed. Others write to the same folders, so that the kernel is asked who did: a command that wrote
 * next to nothing goes on. Where it does not know, everything that ran meanwhile is ended.
 */
export function watchDisk(
  { folders, limitBytes, processes, everyone, writers, account }: DiskWatch,
  onExceeded: () => void,
): () => void {
  const own = new DiskAccount();
  own.add(folders);
  account.add(folders);
  const writer = writers.begin();
  const notable = limitBytes / NOTABLE_PARTS;
  let isOver = false;
  let lookFrom = 0;
  const isToBlame = async (): Promise<boolean> => {
    if ((await account.count(folders, limitBytes, everyone)) <= limitBytes) return false;
    if (writer.note(writtenBy(processes())) >= notable) return true;
    if (own.growth(folders) <= limitBytes) return false;
    const meanwhile = await own.count(folders, limitBytes, processes);
    const byOthers = Math.max(writer.byAll(), writtenBy(everyone()));
    return meanwhile > limitBytes && byOthers < meanwhile / 2;
  };
  const look = async (): Promise<void> => {
    const started = performance.now();
    // While it runs: nobody can ask the kernel about a process that has ended.
    if (!isOver && own.hasGrownBy(folders, notable)) writer.note(writtenBy(processes()));
    if (isOver || started < lookFrom || !account.mayExceed(folders, limitBytes)) return;
    lookFrom = Number.POSITIVE_INFINITY;
    const blamed = await isToBlame();
    lookFrom = performance.now() + (performance.now() - started) / CLOSE_LOOK_SHARE;
    if (isOver || !blamed) return;
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

/** What commands were seen to write, also those that have ended. */
export class DiskWriters {
  #total = 0;

  begin(): { note: (bytes: number) => number; byAll: () => number } {
    const before = this.#total;
    let noted = 0;
    return {
      note: (bytes) => {
        this.#total += Math.max(0, bytes - noted);
        noted = Math.max(noted, bytes);
        return noted;
      },
      byAll: () => this.#total - before,
    };
  }
}

/** What has changed in some folders since it was opened. */
export class DiskAccount {
  // A second is the coarsest clock of a file system.
  readonly #since = Date.now() - 1_000;
  readonly #before = new Map<string, number>();
  #counted = 0;
  #asked = 0;
  #counting: Promise<number> | undefined;

  add(folders: readonly string[]): void {
    for (const folder of folders) {
      if (!this.#before.has(folder)) this.#before.set(folder, usedBytes(folder));
    }
  }

  /** By how much the fullest of their file systems has grown since it was last counted, whoever wrote there. */
  growth(folders: readonly string[]): number {
    return Math.max(0, ...folders.map((folder) => usedBytes(folder) - (this.#before.get(folder) ?? 0)));
  }

  /** Since it was asked the last time. */
  hasGrownBy(folders: readonly string[], bytes: number): boolean {
    const grown = this.growth(folders);
    if (grown - this.#asked < bytes) return false;
    this.#asked = grown;
    return true;
  }

  mayExceed(folders: readonly string[], limitBytes: number): boolean {
    return this.growth(folders) > Math.max(limitBytes - this.#counted, limitBytes / NOTABLE_PARTS);
  }

  /** Several commands of a session ask at the same time. */
  count(folders: readonly string[], limitBytes: number, processes: () => readonly number[]): Promise<number> {
    this.#counting ??= this.#count(folders, limitBytes, processes).finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  async #count(
    folders: readonly string[],
    limitBytes: number,
    processes: () => readonly number[],
  ): Promise<number> {
    const used = usedIn(folders);
    const bytes = unnamed(processes()) + (await changed(folders, this.#since, limitBytes));
    if (bytes > limitBytes) return bytes;
    this.#counted = bytes;
    for (const [folder, size] of used) this.#before.set(folder, size);
    return bytes;
  }
}

/** What processes, and those that they have waited for, sent to disks. */
function writtenBy(processes: readonly number[]): number {
  return processes.reduce((sum, pid) => {
    try {
      const written = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
      return sum + Number(written ?? 0);
    } catch {
      // It has ended.
      return sum;
    }
  }, 0);
}

type Used = ReadonlyMap<string, number>;

function usedIn(folders: readonly string[]): Used {
  return new Map(folders.map((folder) => [folder, usedBytes(folder)]));
}

/** More than is counted for files with content: what is looked at closely is decided by it, and nothing else. */
function usedBytes(folder: string): number {
  try {
    const { blocks, bfree, bsize, files, ffree } = statfsSync(folder);
    return (blocks - bfree) * bsize + (files - ffree) * INODE_BYTES;
  } catch {
    // Not there, or gone.
    return 0;
  }
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
        bytes += Math.max(found.blocks * BLOCK, INODE_BYTES);
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
        files.set(`${dev}:${ino}`, Math.max(blocks * BLOCK, INODE_BYTES));
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
