import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { errnoOf } from '../../state/errno.js';
import { CANNOT_LOOK } from '../sandbox/bubblewrap-diagnosis.js';

/** Who a command is on the host. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Used where the workspace belongs to root: the limit on processes does not count for real root. */
export const NOBODY: Identity = { uid: 65534, gid: 65534 };

/** Ids that are mapped one to one: CAP_DAC_OVERRIDE reaches only files whose owner the namespace knows. */
const MAPPED_IDS = 65_535;
const MAX_IDLE = 16;

export interface NamespaceLease {
  readonly identity: Identity;
  /** In which the sandbox is set up, and from which it can be covered again. */
  readonly setup: number;
  /** In which the command runs, where that is another one. */
  readonly command: number | undefined;
}

type Holder = ChildProcessByStdio<Writable, Readable, null>;

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
    const holder = spawn(this.unshare, ['--user', '/bin/sh', '-c', 'echo; read -r line'], {
      ...spawnIds(identity),
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
    });
    try {
      await said(holder, this.unshare);
      writeFileSync(`/proc/${holder.pid}/uid_map`, wholeMap(identity.uid));
      writeFileSync(`/proc/${holder.pid}/gid_map`, wholeMap(identity.gid));
      return { identity, setup: openNamespace(holder), command: undefined };
    } finally {
      release(holder);
    }
  }

  async #createNested(identity: Identity): Promise<NamespaceLease> {
    const { uid, gid } = identity;
    // The inner namespace can only be mapped from within, or from the outer one.
    const inner = `exec "$0" --user --map-user=${uid} --map-group=${gid} /bin/sh -c 'echo; read -r line'`;
    const holder = spawn(
      this.unshare,
      ['--user', '--map-root-user', '/bin/sh', '-c', `echo; read -r line || exit 1; ${inner}`, this.unshare],
      { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'], env: {} },
    );
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
      release(holder);
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

/** Every ordinary id, and the command's own where it is beyond them. */
function wholeMap(own: number): string {
  return `0 0 ${MAPPED_IDS}\n${own < MAPPED_IDS ? '' : `${own} ${own} 1\n`}`;
}

function said(holder: Holder, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`${program} --user ended with ${code}`));
    holder.once('error', reject);
    holder.once('exit', onExit);
    holder.stdin.on('error', () => undefined);
    holder.stdout.once('data', () => {
      holder.off('exit', onExit);
      resolve();
    });
  });
}

/** The descriptor keeps the namespace alive when its first process is gone. */
function openNamespace(holder: Holder): number {
  try {
    return openSync(`/proc/${holder.pid}/ns/user`, 'r');
  } catch (error) {
    throw errnoOf(error) === 'EACCES' ? new Error(CANNOT_LOOK) : error;
  }
}

function release(holder: Holder): void {
  holder.stdin.on('error', () => undefined).end();
}

function closeLease({ setup, command }: NamespaceLease): void {
  closeSync(setup);
  if (command !== undefined) closeSync(command);
}
