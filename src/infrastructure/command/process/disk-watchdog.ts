import { type Dir, lstatSync, opendirSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TURN_CHARACTERS } from '../../../application/ports/system/turns.js';
import { EVENT_LOOP } from '../../system/immediate-turns.js';
import { textOf } from './memory-watchdog.js';

const INTERVAL_MS = 200;
const BLOCK = 512;
/** What every file, folder and link counts at least: a file system has only so many, and empty ones take no blocks. */
const INODE_BYTES = 4_096;
/** Of folders, and of what processes hold open. */
const ENTRY_CHARACTERS = Math.floor(TURN_CHARACTERS / 500);
/** A closer look may take this part of the time and no more. */
const CLOSE_LOOK_SHARE = 0.2;
/** A command that wrote less than this part of the limit is not to blame for what is there. */
const NOTABLE_PARTS = 64;
/** The kernel counts time in these, 10 ms each, and hardly makes a file in less than 5 microseconds. */
const FILES_A_TICK = 2_000;

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
 * only where the file systems have lost enough, or the command has worked enough to have made as much (others' deletions
 * hide what it took), is counted what changed. Others write to the same folders, so that the kernel is asked who did: a
 * command that wrote next to nothing goes on. Where it does not know, everything that ran meanwhile is ended.
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
  let made = 0;
  const noteWork = (): void => {
    const pids = processes();
    const now = writer.note(writtenBy(pids)) + emptyFilesBy(pids);
    account.noteMade(now - made);
    made = Math.max(made, now);
  };
  const isToBlame = async (): Promise<boolean> => {
    if ((await account.count(folders, limitBytes, everyone)) <= limitBytes) return false;
    await EVENT_LOOP.take(TURN_CHARACTERS);
    if (writer.note(writtenBy(processes())) >= notable) return true;
    if (Math.max(own.growth(folders), made) <= limitBytes) return false;
    const meanwhile = await own.count(folders, limitBytes, processes);
    await EVENT_LOOP.take(TURN_CHARACTERS);
    const byOthers = Math.max(writer.byAll(), writtenBy(everyone()));
    return meanwhile > limitBytes && byOthers < meanwhile / 2;
  };
  const look = async (): Promise<void> => {
    // Several commands look at the same moment, each at hundreds of processes.
    await EVENT_LOOP.take(TURN_CHARACTERS);
    const started = performance.now();
    // While it runs: nobody can ask the kernel about a process that has ended.
    if (!isOver) noteWork();
    if (isOver || started < lookFrom || !account.mayExceed(folders, limitBytes)) return;
    lookFrom = Number.POSITIVE_INFINITY;
    const blamed = await isToBlame();
    lookFrom = performance.now() + (performance.now() - started) / CLOSE_LOOK_SHARE;
    if (isOver || !blamed) return;
    isOver = true;
    onExceeded();
  };
  const timer = setInterval(() => void look(), INTERVAL_MS).unref();
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
  #made = 0;
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

  /** What a command can have made at most, whatever others removed meanwhile. */
  noteMade(bytes: number): void {
    this.#made += Math.max(0, bytes);
  }

  mayExceed(folders: readonly string[], limitBytes: number): boolean {
    const most = Math.max(this.growth(folders), this.#made);
    return most > Math.max(limitBytes - this.#counted, limitBytes / NOTABLE_PARTS);
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
    const used = new Map(folders.map((folder) => [folder, usedBytes(folder)]));
    const made = this.#made;
    const bytes = (await unnamed(processes())) + (await changed(folders, this.#since, limitBytes));
    if (bytes > limitBytes) return bytes;
    this.#counted = bytes;
    this.#made -= made;
    for (const [folder, size] of used) this.#before.set(folder, size);
    return bytes;
  }
}

/** What processes, and those that they have waited for, sent to disks. */
function writtenBy(processes: readonly number[]): number {
  return sumOf(processes, 'io', (text) => Number(/^write_bytes: (\d+)$/m.exec(text)?.[1] ?? 0));
}

/** What the files without content count that they can have made at most in the time the kernel worked for them. */
function emptyFilesBy(processes: readonly number[]): number {
  const ticks = sumOf(processes, 'stat', (text) => {
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[12]) + Number(fields[14]);
  });
  return ticks * FILES_A_TICK * INODE_BYTES;
}

function sumOf(processes: readonly number[], file: 'io' | 'stat', figure: (text: string) => number): number {
  return processes.reduce((sum, pid) => {
    const text = textOf(`/proc/${pid}/${file}`);
    return text === '' ? sum : sum + figure(text);
  }, 0);
}

/** More than is counted for files with content: what is looked at closely is decided by it, and nothing else. */
function usedBytes(folder: string): number {
  try {
    const { blocks, bfree, bsize, files, ffree } = statfsSync(folder);
    return (blocks - bfree) * bsize + (files - ffree) * INODE_BYTES;
  } catch {
    return 0; // Not there, or gone.
  }
}

/** Of files whose last change, which no program can set back, is not older than the command. */
async function changed(folders: readonly string[], since: number, enough: number): Promise<number> {
  const open = [...folders];
  const seen = new Set<string>();
  let bytes = 0;
  for (let folder = open.pop(); folder !== undefined && bytes <= enough; folder = open.pop()) {
    for (const name of namesIn(folder)) {
      await EVENT_LOOP.take(ENTRY_CHARACTERS);
      const path = join(folder, name);
      const found = look(path);
      if (found === undefined) continue;
      if (found.isDirectory()) open.push(path);
      const key = `${found.dev}:${found.ino}`;
      if (found.ctimeMs >= since && !seen.has(key)) {
        if (found.nlink > 1) seen.add(key);
        bytes += Math.max(found.blocks * BLOCK, INODE_BYTES);
      }
    }
  }
  return bytes;
}

/** Files that were removed and are still open. */
async function unnamed(processes: readonly number[]): Promise<number> {
  const files = new Map<string, number>();
  for (const pid of processes) {
    for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
      await EVENT_LOOP.take(ENTRY_CHARACTERS);
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

/** Some at a time: a command may have made a million. */
function* namesIn(folder: string): Generator<string> {
  let open: Dir | undefined;
  try {
    open = opendirSync(folder, { bufferSize: 256 });
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) yield entry.name;
  } catch {
    // Gone, or closed to the server.
  } finally {
    open?.closeSync();
  }
}

function look(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // A folder on the way became something else.
  }
}
