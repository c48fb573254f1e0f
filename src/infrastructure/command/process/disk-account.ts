import { type Dir, lstatSync, opendirSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TURN_CHARACTERS } from '../../../application/ports/system/turns.js';
import { EVENT_LOOP } from '../../system/immediate-turns.js';

const BLOCK = 512;
/** What every file, folder and link counts at least: a file system has only so many, and empty ones take no blocks. */
export const INODE_BYTES = 4_096;
/** Of folders, and of what processes hold open. */
export const ENTRY_CHARACTERS = Math.floor(TURN_CHARACTERS / 500);
/** A command that wrote less than this part of the limit is not to blame for what is there. */
export const NOTABLE_PARTS = 64;

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
