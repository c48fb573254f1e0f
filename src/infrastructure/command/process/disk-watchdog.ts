import { TURN_CHARACTERS } from '../../../application/ports/system/turns.js';
import { EVENT_LOOP } from '../../system/immediate-turns.js';
import { DiskAccount, ENTRY_CHARACTERS, INODE_BYTES, NOTABLE_PARTS } from './disk-account.js';
import { textOf } from './memory-watchdog.js';

const INTERVAL_MS = 200;
/** A closer look may take this part of the time and no more. */
const CLOSE_LOOK_SHARE = 0.2;
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
  const noteWork = async (): Promise<void> => {
    const pids = processes();
    const now = writer.note(await writtenBy(pids)) + (await emptyFilesBy(pids));
    account.noteMade(now - made);
    made = Math.max(made, now);
  };
  const isToBlame = async (): Promise<boolean> => {
    if ((await account.count(folders, limitBytes, everyone)) <= limitBytes) return false;
    await EVENT_LOOP.take(TURN_CHARACTERS);
    if (writer.note(await writtenBy(processes())) >= notable) return true;
    if (Math.max(own.growth(folders), made) <= limitBytes) return false;
    const meanwhile = await own.count(folders, limitBytes, processes);
    await EVENT_LOOP.take(TURN_CHARACTERS);
    const byOthers = Math.max(writer.byAll(), await writtenBy(everyone()));
    return meanwhile > limitBytes && byOthers < meanwhile / 2;
  };
  const look = async (): Promise<void> => {
    // Several commands look at the same moment, each at hundreds of processes.
    await EVENT_LOOP.take(TURN_CHARACTERS);
    const started = performance.now();
    // While it runs: nobody can ask the kernel about a process that has ended.
    if (!isOver) await noteWork();
    if (isOver || started < lookFrom || !account.mayExceed(folders, limitBytes)) return;
    lookFrom = Number.POSITIVE_INFINITY;
    const blamed = await isToBlame();
    lookFrom = performance.now() + (performance.now() - started) / CLOSE_LOOK_SHARE;
    if (isOver || !blamed) return;
    isOver = true;
    onExceeded();
  };
  const timer = setInterval(oneAtATime(look), INTERVAL_MS).unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

/** A look at thousands of processes may take longer than the time between two. */
function oneAtATime(look: () => Promise<void>): () => void {
  let isLooking = false;
  return () => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
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

/** What processes, and those that they have waited for, sent to disks. */
function writtenBy(processes: readonly number[]): Promise<number> {
  return sumOf(processes, 'io', (text) => Number(/^write_bytes: (\d+)$/m.exec(text)?.[1] ?? 0));
}

/** What the files without content count that they can have made at most in the time the kernel worked for them. */
async function emptyFilesBy(processes: readonly number[]): Promise<number> {
  const ticks = await sumOf(processes, 'stat', (text) => {
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[12]) + Number(fields[14]);
  });
  return ticks * FILES_A_TICK * INODE_BYTES;
}

async function sumOf(
  processes: readonly number[],
  file: 'io' | 'stat',
  figure: (text: string) => number,
): Promise<number> {
  let sum = 0;
  for (const pid of processes) {
    await EVENT_LOOP.take(ENTRY_CHARACTERS);
    const text = textOf(`/proc/${pid}/${file}`);
    if (text !== '') sum += figure(text);
  }
  return sum;
}
