import { createHash, randomBytes, randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileAccess } from '../../../application/ports/file/safe-file-system.js';
import type { SharedLocks } from '../../../application/ports/file/shared-locks.js';
import { errnoOf } from '../../state/errno.js';
import { namesLeftIn } from '../../state/names-left.js';
import { isAlive, ownIdentity } from '../../state/process-identity.js';
import { checkLive, FileFault, inState } from '../file-fault.js';
import { UnsharedLocks } from './unshared-locks.js';

const PATIENCE_MS = 10_000;
const UNKNOWN = (shown: string) =>
  `Redis does not answer, so another instance of the server may be changing ${shown}. Nothing was changed; try again shortly.`;

/**
 * One writer per file: a queue within this process, tickets in the state directory between processes. Tickets
 * are for changes based on the existing content; a complete replacement is atomic without one. A ticket is a
 * file named after the path's hash and its owner. A writer creates its ticket and then looks: if it is the
 * only living one, it has the lock; otherwise it removes the ticket and waits. Two writers can never both be
 * the only one, because each looks after creating its own ticket. Tickets of dead owners are ignored and may
 * be removed by any process, since no later process has the same name: there is no stale lock to break.
 * Instances on other machines do not see the tickets, so the holder also takes a lock that all of them see.
 */
export class PathLocks {
  readonly #queues = new Map<string, Promise<void>>();
  #identity: string | undefined;

  constructor(
    private readonly folder: string,
    private readonly shared: SharedLocks = new UnsharedLocks(),
  ) {}

  /** `waited` tells the work that the file may have changed since it was looked up. */
  async holding<T>(
    path: string,
    amongProcesses: boolean,
    access: FileAccess,
    work: (waited: boolean) => Promise<T>,
  ): Promise<T> {
    const before = this.#queues.get(path);
    let done: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      done = resolve;
    });
    const tail = before?.then(() => finished) ?? finished;
    this.#queues.set(path, tail);
    try {
      if (before !== undefined) await before;
      checkLive(access);
      if (!amongProcesses) return await work(before !== undefined);
      return await this.#withTicket(path, access, (waited) => work(waited || before !== undefined));
    } finally {
      done();
      if (this.#queues.get(path) === tail) this.#queues.delete(path);
    }
  }

  /** Removes the tickets of dead processes; they block nothing, but would accumulate. */
  sweep(): void {
    for (const ticket of namesLeftIn(this.folder)) {
      const [, identity] = ticket.split('.');
      if (identity !== undefined && !isAlive(identity)) this.#forget(ticket);
    }
  }

  async #withTicket<T>(path: string, access: FileAccess, work: (waited: boolean) => Promise<T>): Promise<T> {
    const ticket = this.#ticketFor(path);
    const deadline = Date.now() + PATIENCE_MS;
    const waited = await this.#take(ticket, deadline, access);
    try {
      return await this.#amongInstances(path, deadline, access, (longer) => work(waited || longer));
    } finally {
      this.#giveBack(ticket);
    }
  }

  async #amongInstances<T>(
    path: string,
    deadline: number,
    access: FileAccess,
    work: (waited: boolean) => Promise<T>,
  ): Promise<T> {
    for (let waited = false; ; waited = true) {
      const lock = await this.shared.take(path);
      if (lock === 'unavailable') throw new FileFault('busy', undefined, UNKNOWN);
      if (lock !== 'taken') return work(waited).finally(lock.release);
      await pauseUntil(deadline, access);
    }
  }

  async #take(ticket: string, deadline: number, access: FileAccess): Promise<boolean> {
    for (let waited = false; ; waited = true) {
      const alone = inState(() => {
        this.#putDown(ticket);
        return this.#isAlone(ticket);
      });
      if (alone) return waited;
      inState(() => this.#forget(ticket));
      await pauseUntil(deadline, access);
    }
  }

  #ticketFor(path: string): string {
    // Two file systems in one process are two owners.
    this.#identity ??= `${ownIdentity()}.${randomBytes(4).toString('hex')}`;
    return `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.${this.#identity}`;
  }

  #putDown(ticket: string): void {
    const path = join(this.folder, ticket);
    try {
      closeSync(openSync(path, 'w', 0o600));
    } catch (error) {
      // Not created yet, or removed while the server runs.
      if (errnoOf(error) !== 'ENOENT') throw error;
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      closeSync(openSync(path, 'w', 0o600));
    }
  }

  #giveBack(ticket: string): void {
    try {
      this.#forget(ticket);
    } catch (error) {
      // The change was made, and an error would deny it. If a ticket cannot be removed, no other can be
      // created either.
      if (errnoOf(error) === undefined) throw error;
    }
  }

  #isAlone(ticket: string): boolean {
    const [hash] = ticket.split('.');
    let alone = true;
    for (const other of readdirSync(this.folder)) {
      const [theirs, identity] = other.split('.');
      if (theirs !== hash || identity === undefined || other === ticket) continue;
      if (isAlive(identity)) alone = false;
      else this.#forget(other);
    }
    return alone;
  }

  #forget(ticket: string): void {
    try {
      unlinkSync(join(this.folder, ticket));
    } catch (error) {
      // Another process removed it first.
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
  }
}

async function pauseUntil(deadline: number, access: FileAccess): Promise<void> {
  if (Date.now() > deadline) throw new FileFault('busy');
  await sleep(randomInt(2, 20));
  checkLive(access);
}
