import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, readlink, symlink, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasErrno } from './errno.js';
import { isProcess } from './process-identity.js';

/** Nobody holds it longer than a file takes to write; older than this is abandoned, whatever the owner's pid. */
const ABANDONED_MS = 30_000;
const WAIT_MS = 10_000;

/** Who holds a lock: where, which process, and a word of its own that names what it leaves behind. */
interface Holder {
  readonly place: string;
  readonly pid: number;
  readonly nonce: string;
}

/**
 * A lock between processes that the death of its holder does not leave closed. It is a symbolic link whose
 * target names the holder: making one is a single atomic step that carries its content, so no process can be
 * killed between taking the lock and saying whose it is.
 */
export class FileLock {
  readonly #path: string;
  readonly #breaking: string;

  /** `onAbandoned` cleans up what a dead holder left, given its nonce. */
  constructor(
    guarded: string,
    private readonly onAbandoned: (nonce: string) => Promise<void>,
    private readonly waitMs = WAIT_MS,
  ) {
    this.#path = `${guarded}.lock`;
    this.#breaking = `${this.#path}.break`;
  }

  /** undefined: somebody else held it the whole time. Otherwise what release() and isHeld() need. */
  async acquire(): Promise<string | undefined> {
    const nonce = randomUUID();
    const deadline = performance.now() + this.waitMs;
    let pause = 1;
    while (performance.now() < deadline) {
      if (await take(this.#path, nonce)) {
        await this.#removeDeadBreaker();
        return nonce;
      }
      if (await this.#breakAbandoned(nonce)) continue;
      // Uneven pauses: two that wait must not keep meeting.
      await sleep(pause * (0.5 + Math.random()));
      pause = Math.min(pause * 1.5, 20);
    }
    return undefined;
  }

  async isHeld(nonce: string): Promise<boolean> {
    return (await holderOf(this.#path))?.nonce === nonce;
  }

  async release(nonce: string): Promise<void> {
    if (await this.isHeld(nonce)) await remove(this.#path);
  }

  /**
   * Of several that find a dead holder only one may remove its lock, or the second would remove a fresh one:
   * they compete for a second lock, and the winner looks again.
   */
  async #breakAbandoned(nonce: string): Promise<boolean> {
    const holder = await holderOf(this.#path);
    if (holder === undefined) return true;
    if (!(await isAbandoned(this.#path, holder))) return false;
    if (!(await take(this.#breaking, nonce))) {
      await this.#removeDeadBreaker();
      return false;
    }
    if (await this.isHeld(holder.nonce)) {
      await this.onAbandoned(holder.nonce);
      await remove(this.#path);
    }
    await remove(this.#breaking);
    return true;
  }

  /** One that was killed after it had removed a lock leaves its own; whoever comes next takes it away. */
  async #removeDeadBreaker(): Promise<void> {
    const breaker = await holderOf(this.#breaking);
    if (breaker !== undefined && (await isAbandoned(this.#breaking, breaker))) await remove(this.#breaking);
  }
}

let here: string | undefined;

/** A pid means something only where it was given: on this machine and in this pid namespace. */
function thisPlace(): string {
  if (here === undefined) {
    let namespace = '';
    try {
      namespace = readlinkSync('/proc/self/ns/pid');
    } catch (error) {
      if (!hasErrno(error, 'ENOENT', 'EACCES', 'EPERM')) throw error;
    }
    here = encodeURIComponent(`${hostname()} ${namespace}`);
  }
  return here;
}

async function take(path: string, nonce: string): Promise<boolean> {
  try {
    await symlink(`${thisPlace()}:${process.pid}:${nonce}`, path);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const [place = '', pid = '', nonce = ''] = (await readlink(path)).split(':');
    return { place, pid: Number(pid), nonce };
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function isAbandoned(path: string, { place, pid, nonce }: Holder): Promise<boolean> {
  // A link that names no holder is nobody's lock: ours are never without their content.
  if (!Number.isSafeInteger(pid) || pid <= 0 || nonce === '') return true;
  if (place === thisPlace() && !isProcess(pid)) return true;
  try {
    return Date.now() - (await lstat(path)).mtimeMs > ABANDONED_MS;
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

async function remove(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw error;
  }
}
