import { closeSync, openSync } from 'node:fs';
import { errnoOf } from '../../state/errno.js';
import { CANNOT_LOOK } from '../sandbox/bubblewrap-diagnosis.js';
import { mapAll, type NamespaceHelper, said, startHelper } from './namespace-helper.js';

/** Who a command is on the host. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Used where the workspace belongs to root: the limit on processes does not count for real root. */
export const NOBODY: Identity = { uid: 65534, gid: 65534 };

const MAX_IDLE = 16;

export interface NamespaceLease {
  readonly identity: Identity;
  /** In which the sandbox is set up, and from which it can be covered again. */
  readonly setup: number;
  /** In which the command runs, where that is another one. */
  readonly command: number | undefined;
}

/**
 * User namespaces that outlive the process that made them, because only those can be entered again to cover a file
 * in a sandbox that runs. One serves one command at a time, since processes are counted for each namespace.
 *
 * Where the server is root each is made and owned by the user a command runs as, so that bwrap can run as that user
 * from its first instruction: if its halves had different owners, the kernel would not let the death of one signal
 * the other, and --die-with-parent would fail without a word. An ordinary server has two, one in the other: in the
 * outer one it is user 0, which mount(8) insists on; in the inner one it is itself again.
 */
export class UserNamespacePool {
  readonly #idle = new Map<string, NamespaceLease[]>();
  readonly #making = new Set<string>();
  #isClosed = false;

  constructor(
    private readonly unshare: string,
    private readonly isRoot: boolean,
  ) {}

  /** A namespace to be given back when its command has ended. */
  async take(identity: Identity): Promise<NamespaceLease> {
    return this.#idleFor(identity).pop() ?? (await this.#create(identity));
  }

  /** Makes one while a command runs, so that the next command finds one. */
  makeAhead(identity: Identity): void {
    const key = keyOf(identity);
    if (this.#isClosed || this.#making.has(key) || this.#idleFor(identity).length > 0) return;
    this.#making.add(key);
    this.#create(identity)
      .then(
        (lease) => this.giveBack(lease, true),
        // Whoever needs it tries again and tells why it cannot be made.
        () => undefined,
      )
      .finally(() => this.#making.delete(key));
  }

  /** `isEmpty`: the command ended by itself, so nothing is still dying in there. */
  giveBack(lease: NamespaceLease, isEmpty: boolean): void {
    const idle = this.#idleFor(lease.identity);
    if (isEmpty && !this.#isClosed && idle.length < MAX_IDLE) idle.push(lease);
    else closeLease(lease);
  }

  close(): void {
    this.#isClosed = true;
    for (const lease of [...this.#idle.values()].flat()) closeLease(lease);
    this.#idle.clear();
  }

  #idleFor(identity: Identity): NamespaceLease[] {
    const key = keyOf(identity);
    const idle = this.#idle.get(key) ?? [];
    this.#idle.set(key, idle);
    return idle;
  }

  #create(identity: Identity): Promise<NamespaceLease> {
    return this.isRoot ? this.#createMapped(identity) : this.#createNested(identity);
  }

  async #createMapped(identity: Identity): Promise<NamespaceLease> {
    const args = ['--user', '/bin/sh', '-c', 'echo; read -r line'];
    const holder = await startHelper(this.unshare, args, spawnIds(identity));
    try {
      await said(holder, this.unshare);
      mapAll(holder, identity);
      return { identity, setup: openNamespace(holder), command: undefined };
    } finally {
      holder.stdin.end();
    }
  }

  async #createNested(identity: Identity): Promise<NamespaceLease> {
    const { uid, gid } = identity;
    // The inner namespace can only be mapped from within, or from the outer one.
    const inner = `exec "$0" --user --map-user=${uid} --map-group=${gid} /bin/sh -c 'echo; read -r line'`;
    const outer = ['--user', '--map-root-user', '/bin/sh', '-c', `echo; read -r line || exit 1; ${inner}`];
    const holder = await startHelper(this.unshare, [...outer, this.unshare]);
    let setup: number | undefined;
    try {
      await said(holder, this.unshare);
      setup = openNamespace(holder);
      holder.stdin.write('\n');
      await said(holder, this.unshare);
      return { identity, setup, command: openNamespace(holder) };
    } catch (error) {
      if (setup !== undefined) closeSync(setup);
      throw error;
    } finally {
      holder.stdin.end();
    }
  }
}

/** Node takes them as signed numbers of 32 bits. */
export function spawnIds({ uid, gid }: Identity): Identity {
  return { uid: uid | 0, gid: gid | 0 };
}

function keyOf({ uid, gid }: Identity): string {
  return `${uid}:${gid}`;
}

/** The descriptor keeps the namespace alive when its first process is gone. */
function openNamespace(holder: NamespaceHelper): number {
  try {
    return openSync(`/proc/${holder.pid}/ns/user`, 'r');
  } catch (error) {
    throw errnoOf(error) === 'EACCES' ? new Error(CANNOT_LOOK) : error;
  }
}

function closeLease({ setup, command }: NamespaceLease): void {
  closeSync(setup);
  if (command !== undefined) closeSync(command);
}
