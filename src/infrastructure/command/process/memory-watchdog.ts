import { readdirSync, readFileSync, statfsSync } from 'node:fs';

const INTERVAL_MS = 100;
const MAX_PROCESSES = 4096;
/** A closer look takes milliseconds for each 100 MB; it may take this part of the time and no more. */
const CLOSE_LOOK_SHARE = 0.1;
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
}

/** What processes hold, and what lies in file systems that live in memory. */
class MemoryUse {
  constructor(
    private readonly processes: () => readonly number[],
    private readonly temporary: () => readonly string[],
  ) {}

  /** Cheap, and too high where processes share memory or map what lies in a temporary folder. */
  atMost(): number {
    const { anonymous, shared } = this.#sum(resident);
    return anonymous + shared + this.#temporaryBytes();
  }

  /** Shared memory is divided among those who share it, and counted once where it lies in a temporary folder. */
  closely(): number {
    const { anonymous, shared } = this.#sum((pid) => proportional(pid) ?? resident(pid));
    return anonymous + Math.max(shared, this.#temporaryBytes());
  }

  #sum(measure: (pid: number) => Resident): Resident {
    const total = { anonymous: 0, shared: 0 };
    for (const pid of this.processes()) {
      const { anonymous, shared } = measure(pid);
      total.anonymous += anonymous;
      total.shared += shared;
    }
    return total;
  }

  #temporaryBytes(): number {
    return this.temporary().reduce((sum, folder) => sum + usedBytes(folder), 0);
  }
}

function resident(pid: number): Resident {
  const text = textOf(`/proc/${pid}/status`);
  const own = (bytesIn(text, 'RssAnon') ?? 0) + (bytesIn(text, 'VmPTE') ?? 0);
  return { anonymous: own, shared: bytesIn(text, 'RssShmem') ?? 0 };
}

/** Page tables: a mapping of nothing but zeros has no pages of its own, and gigabytes of these. */
function pageTables(pid: number): number {
  return bytesIn(textOf(`/proc/${pid}/status`), 'VmPTE') ?? 0;
}

/** undefined: older kernels do not tell. */
function proportional(pid: number): Resident | undefined {
  const text = textOf(`/proc/${pid}/smaps_rollup`);
  const anonymous = bytesIn(text, 'Pss_Anon');
  const shared = bytesIn(text, 'Pss_Shmem');
  if (anonymous === undefined || shared === undefined) return undefined;
  return { anonymous: anonymous + pageTables(pid), shared };
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
  let closeLookFrom = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now < closeLookFrom || !isTooMuch(use.atMost())) return;
    const exceeded = isTooMuch(use.closely());
    closeLookFrom = performance.now() + (performance.now() - now) / CLOSE_LOOK_SHARE;
    if (!exceeded) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
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
