import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { errnoOf } from './errno.js';

/** How a file that somebody else may have put there is read. */
export interface ForeignFileRules {
  /** A larger file is refused, and no byte more than one beyond it is read. */
  readonly maxBytes: number;
  /** Where a link at the end or on the way may lead; `nowhere` is about the file itself, not its folders. */
  readonly links: 'anywhere' | 'nowhere' | { readonly inside: string };
}

export type ForeignFile =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly status: Stats }
  | { readonly kind: 'missing' }
  /** Why, as a clause that follows a colon. It never says what the file holds. */
  | { readonly kind: 'refused'; readonly why: string; readonly tooLarge?: true };

type Refused = Exclude<ForeignFile, { kind: 'bytes' }>;

interface Opened {
  readonly descriptor: number;
  readonly status: Stats;
}

const O_PATH = 0o10000000;
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const SMALL = 64 * 1024;

/**
 * Reads a regular file and nothing else. What the path leads to is looked at before it is opened: opening a pipe
 * waits for a writer, opening a device may do anything, and both would hold the server or one of its threads.
 */
export function readForeignFileSync(path: string, rules: ForeignFileRules): ForeignFile {
  return withOpened(path, rules, ({ descriptor, status }) => {
    const target = new BoundedBytes(status.size, rules.maxBytes);
    while (target.take(readSync(descriptor, target.buffer, target.filled, target.room, null)));
    return target.result(status);
  });
}

/** The same. Only a large file, which may lie on a slow disk, is left to a thread. */
export async function readForeignFile(path: string, rules: ForeignFileRules): Promise<ForeignFile> {
  const opened = openForeignFile(path, rules);
  if ('kind' in opened) return opened;
  const { descriptor, status } = opened;
  try {
    const target = new BoundedBytes(status.size, rules.maxBytes);
    while (target.take(await readSome(descriptor, target)));
    return target.result(status);
  } catch (error) {
    return refusalOf(error);
  } finally {
    closeSync(descriptor);
  }
}

/** An open descriptor of a regular file, whatever its size; whoever asks closes it. */
export function openForeignFile(path: string, rules: Pick<ForeignFileRules, 'links'>): Opened | Refused {
  try {
    return process.platform === 'linux' ? openHeld(path, rules) : openLooked(path, rules);
  } catch (error) {
    return refusalOf(error);
  }
}

/** Undefined where the bytes are not UTF-8, so that no two files read as the same text. */
export function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function withOpened(
  path: string,
  rules: ForeignFileRules,
  work: (opened: Opened) => ForeignFile,
): ForeignFile {
  const opened = openForeignFile(path, rules);
  if ('kind' in opened) return opened;
  try {
    return work(opened);
  } catch (error) {
    return refusalOf(error);
  } finally {
    closeSync(opened.descriptor);
  }
}

/** O_PATH opens nothing; what it holds cannot be exchanged between the look and the opening through /proc. */
function openHeld(path: string, { links }: Pick<ForeignFileRules, 'links'>): Opened | Refused {
  const held = openSync(path, O_PATH | (links === 'nowhere' ? NO_LINK : 0));
  try {
    const status = fstatSync(held);
    if (!status.isFile()) return irregular(status);
    if (typeof links === 'object' && !isBelow(readlinkSync(`/proc/self/fd/${held}`), links.inside)) {
      return { kind: 'refused', why: LEADS_OUT };
    }
    return { descriptor: openSync(`/proc/self/fd/${held}`, READ), status };
  } finally {
    closeSync(held);
  }
}

/** The best that can be done without O_PATH: a name may be exchanged after the look, which O_NONBLOCK survives. */
function openLooked(path: string, { links }: Pick<ForeignFileRules, 'links'>): Opened | Refused {
  if (typeof links === 'object' && !isBelow(realpathSync(path), links.inside)) {
    return { kind: 'refused', why: LEADS_OUT };
  }
  const seen = statSync(path);
  if (!seen.isFile()) return irregular(seen);
  const descriptor = openSync(path, READ | (links === 'nowhere' ? NO_LINK : 0));
  const status = fstatSync(descriptor);
  if (status.isFile()) return { descriptor, status };
  closeSync(descriptor);
  return irregular(status);
}

const LEADS_OUT = 'it lies outside the workspace, or behind a link that leads out of it';

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function irregular(status: Stats): Refused {
  return { kind: 'refused', why: `it is ${kindOf(status)} and not a regular file` };
}

function kindOf(status: Stats): string {
  if (status.isSymbolicLink()) return 'a symbolic link, which is not followed here,';
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a named pipe';
  if (status.isSocket()) return 'a socket';
  return 'a device';
}

function refusalOf(error: unknown): Refused {
  const code = errnoOf(error);
  // A number without a system call is a mistake of ours.
  if (code === undefined) throw error;
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
  if (code === 'ELOOP') return { kind: 'refused', why: 'it is behind links that cannot be followed here' };
  if (code === 'EACCES') return { kind: 'refused', why: 'this user may not read it (EACCES)' };
  return { kind: 'refused', why: `it cannot be opened (${code})` };
}

function readSome(descriptor: number, { buffer, filled, room }: BoundedBytes): Promise<number> {
  if (room <= SMALL) return Promise.resolve(readSync(descriptor, buffer, filled, room, null));
  return new Promise((resolve, reject) => {
    read(descriptor, buffer, filled, room, null, (error, count) => (error ? reject(error) : resolve(count)));
  });
}

/** What was read so far. A file may grow while it is read, and those of the kernel say that they are empty. */
class BoundedBytes {
  buffer: Buffer;
  filled = 0;

  constructor(
    size: number,
    private readonly maxBytes: number,
  ) {
    // One byte more than there should be: the end is then seen by the same reading.
    this.buffer = Buffer.allocUnsafe(Math.min(Math.max(size, 511), maxBytes) + 1);
    if (size > maxBytes) this.buffer = this.buffer.subarray(0, 0);
  }

  get room(): number {
    return this.buffer.length - this.filled;
  }

  /** True while there may be more, and more is wanted. */
  take(count: number): boolean {
    this.filled += count;
    if (count === 0 || this.filled > this.maxBytes || this.buffer.length === 0) return false;
    if (this.room === 0) {
      const larger = Buffer.allocUnsafe(Math.min(this.buffer.length * 2, this.maxBytes + 1));
      this.buffer.copy(larger);
      this.buffer = larger;
    }
    return true;
  }

  result(status: Stats): ForeignFile {
    if (status.size > this.maxBytes || this.filled > this.maxBytes) {
      const size = Math.max(status.size, this.filled);
      const why = `it has ${size} bytes, and at most ${this.maxBytes} are read`;
      return { kind: 'refused', why, tooLarge: true };
    }
    return { kind: 'bytes', bytes: this.buffer.subarray(0, this.filled), status };
  }
}
