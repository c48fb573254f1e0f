import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { TURN_CHARACTERS } from '../../../application/ports/system/turns.js';
import { EVENT_LOOP } from '../../system/immediate-turns.js';

const INTERVAL_MS = 100;
const MAX_PROCESSES = 4096;
/** A closer look takes milliseconds for each 100 MB; it may take this part of the time and no more. */
const CLOSE_LOOK_SHARE = 0.1;
/** At so many processes, or at so much memory of theirs, one turn of the event loop looks closely. */
const PROCESSES_A_TURN = 64;
const BYTES_A_TURN = 1024 * 1024 * 1024;
/** A file in memory takes its inode and its name, also where it is empty. */
const TEMPORARY_FILE_BYTES = 2_048;

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

export function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => childrenOfThread(pid, thread));
  } catch {
    // It has ended since its number was read.
    return [];
  }
}

/** All there are, where a process has one thread, which has its number. */
export function childrenOfThread(pid: number, thread: number | string): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    // It has ended since its number was read.
    return [];
  }
}

interface Resident {
  readonly anonymous: number;
  readonly shared: number;
  /** Page tables: a mapping of nothing but zeros has no pages of its own, and gigabytes of these. */
  readonly tables: number;
}

/** What processes hold, and what lies in file systems that live in memory. */
class MemoryUse {
  constructor(
    private readonly processes: () => readonly number[],
    private readonly temporary: () => readonly string[],
  ) {}

  /** Cheap, and too high where processes share memory or map what lies in a temporary folder. */
  atMost(): number {
    const use = (sum: number, pid: number): number => sum + allOf(resident(pid));
    return this.processes().reduce(use, this.#temporaryBytes());
  }

  /**
   * Shared memory is divided among those who share it, and counted once where it lies in a temporary folder. Takes
   * milliseconds a process, so that it gives way to others between them.
   */
  async closely(): Promise<{ readonly bytes: number; readonly workedMs: number }> {
    const total = { anonymous: 0, shared: 0 };
    let workedMs = 0;
    for (const pid of this.processes()) {
      const own = resident(pid);
      await EVENT_LOOP.take(costOf(own));
      const started = performance.now();
      const { anonymous, shared, tables } = (await proportional(pid, own)) ?? resident(pid);
      workedMs += performance.now() - started;
      total.anonymous += anonymous + tables;
      total.shared += shared;
    }
    return { bytes: total.anonymous + Math.max(total.shared, this.#temporaryBytes()), workedMs };
  }

  #temporaryBytes(): number {
    return this.temporary().reduce((sum, folder) => sum + usedBytes(folder), 0);
  }
}

function resident(pid: number): Resident {
  const text = textOf(`/proc/${pid}/status`);
  const bytes = (field: string): number => bytesIn(text, field) ?? 0;
  return { anonymous: bytes('RssAnon'), shared: bytes('RssShmem'), tables: bytes('VmPTE') };
}

function allOf({ anonymous, shared, tables }: Resident): number {
  return anonymous + shared + tables;
}

/** Of a closer look at it, as part of a turn. */
function costOf(own: Resident): number {
  const share = 1 / PROCESSES_A_TURN + allOf(own) / BYTES_A_TURN;
  return Math.floor(TURN_CHARACTERS * Math.min(1, share));
}

/** undefined: older kernels do not tell. */
async function proportional(pid: number, own: Resident): Promise<Resident | undefined> {
  const path = `/proc/${pid}/smaps_rollup`;
  // The kernel goes through all its pages: that is long for a large one, which another thread can wait for.
  const text = allOf(own) > BYTES_A_TURN ? await readFile(path, 'utf8').catch(() => '') : textOf(path);
  const anonymous = bytesIn(text, 'Pss_Anon');
  const shared = bytesIn(text, 'Pss_Shmem');
  if (anonymous === undefined || shared === undefined) return undefined;
  return { anonymous, shared, tables: own.tables };
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended, and its memory with it.
    return '';
  }
}

function bytesIn(text: string, field: string): number | undefined {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text);
  return match?.[1] === undefined ? undefined : Number(match[1]) * 1024;
}

function usedBytes(folder: string): number {
  try {
    const { blocks, bfree, bsize, files, ffree } = statfsSync(folder);
    return (blocks - bfree) * bsize + (files - ffree) * TEMPORARY_FILE_BYTES;
  } catch {
    // The sandbox is not set up yet, or gone.
    return 0;
  }
}

export interface MemoryWatch {
  readonly processes: () => readonly number[];
  /** Folders that live in memory, by paths of the host; none as long as the command has not begun. */
  readonly temporary: () => readonly string[];
  readonly limitBytes: number;
  /** What the sockets of its network may hold, which the commands of a session share. */
  readonly sockets?: () => number;
  /** Told what the command uses, and all together; true: that is beyond the limit, and it is the one to be ended. */
  readonly isToBlame?: (bytes: number, together: number) => boolean;
}

/** Calls back once when the tree's memory passes the limit. Answers how to stop looking. */
export function watchMemory(watch: MemoryWatch, onExceeded: () => void): () => void {
  const use = new MemoryUse(watch.processes, watch.temporary);
  const isTooMuch = (bytes: number): boolean => {
    const sockets = watch.sockets?.() ?? 0;
    const isToBlame = watch.isToBlame?.(bytes, sockets) ?? bytes + sockets > watch.limitBytes;
    return isToBlame || bytes > watch.limitBytes;
  };
  let [isOver, isLooking, closeLookFrom] = [false, false, 0];
  const stop = (): void => {
    isOver = true;
    clearInterval(timer);
  };
  const look = async (): Promise<void> => {
    // Several commands look at the same moment, each at hundreds of processes.
    await EVENT_LOOP.take(TURN_CHARACTERS);
    if (isOver || performance.now() < closeLookFrom || !isTooMuch(use.atMost())) return;
    const { bytes, workedMs } = await use.closely();
    closeLookFrom = performance.now() + workedMs / CLOSE_LOOK_SHARE;
    if (isOver || !isTooMuch(bytes)) return;
    stop();
    onExceeded();
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, INTERVAL_MS);
  timer.unref();
  return stop;
}

/**
 * The kernel's default send buffer, which the system call filter lets nobody enlarge. Nobody tells how full the buffers
 * of a socket are, so that each counts as one.
 */
const SOCKET_BYTES = 212_992;
/** Buffers of TCP grow by themselves, up to a few megabytes; what waits in them is listed. */
const MOST_OF_TCP = 10 * 1024 * 1024;
const QUEUES = /^\s*\d+: \S+ \S+ \S+ ([0-9A-F]{8}):([0-9A-F]{8}) /gm;

/** What the sockets in the network of a process may hold. `limitBytes`: where a closer look at TCP is worth it. */
export function socketBytes(pid: number, limitBytes: number): number {
  const text = textOf(`/proc/${pid}/net/sockstat`);
  const count = (name: RegExp): number => Number(name.exec(text)?.[1] ?? 0);
  const buffers = count(/^sockets: used (\d+)$/m) * SOCKET_BYTES;
  const connections = count(/^TCP: inuse (\d+)/m) + count(/^TCP: .* tw (\d+)/m);
  if (connections * MOST_OF_TCP <= limitBytes) return buffers;
  return buffers + ['tcp', 'tcp6'].reduce((sum, name) => sum + queued(textOf(`/proc/${pid}/net/${name}`)), 0);
}

function queued(table: string): number {
  let bytes = 0;
  for (const [, sent = '0', received = '0'] of table.matchAll(QUEUES))
    bytes += Number.parseInt(sent, 16) + Number.parseInt(received, 16);
  return bytes;
}
