import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';

/** Who a command is on the host. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Used where the workspace belongs to root: the limit on processes does not count for real root. */
export const NOBODY: Identity = { uid: 65534, gid: 65534 };

// Every ordinary owner is mapped: CAP_DAC_OVERRIDE reaches only files whose owner the namespace knows.
const WHOLE_MAP = '0 0 65535\n';
const MAX_IDLE = 16;

export interface NamespaceLease {
  readonly identity: Identity;
  readonly descriptor: number;
}

/**
 * User namespaces for a server that is root. Each is made and owned by the user a command runs as, so that
 * bwrap can run as that user from its first instruction: if its halves had different owners, the kernel would
 * not let the death of one signal the other, and --die-with-parent would fail without a word.
 *
 * One namespace serves one command at a time, because processes are counted for each namespace.
 */
export class UserNamespacePool {
  readonly #idle = new Map<string, NamespaceLease[]>();

  constructor(private readonly unshare: string) {}

  /** A namespace to be given back when its command has ended. */
  async take(identity: Identity): Promise<NamespaceLease> {
    return this.#idleFor(identity).pop() ?? { identity, descriptor: await this.#create(identity) };
  }

  /** `isEmpty`: the command ended by itself, so nothing is still dying in there. */
  giveBack(lease: NamespaceLease, isEmpty: boolean): void {
    const idle = this.#idleFor(lease.identity);
    if (isEmpty && idle.length < MAX_IDLE) idle.push(lease);
    else closeSync(lease.descriptor);
  }

  close(): void {
    for (const { descriptor } of [...this.#idle.values()].flat()) closeSync(descriptor);
    this.#idle.clear();
  }

  #idleFor({ uid, gid }: Identity): NamespaceLease[] {
    const key = `${uid}:${gid}`;
    const idle = this.#idle.get(key) ?? [];
    this.#idle.set(key, idle);
    return idle;
  }

  async #create(identity: Identity): Promise<number> {
    const holder = spawn(this.unshare, ['--user', '/bin/sh', '-c', 'echo; read line'], {
      ...identity,
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
    });
    try {
      await new Promise<void>((resolve, reject) => {
        holder.once('error', reject);
        holder.once('exit', (code) => reject(new Error(`${this.unshare} --user ended with ${code}`)));
        holder.stdout.once('data', () => resolve());
      });
      writeFileSync(`/proc/${holder.pid}/uid_map`, WHOLE_MAP);
      writeFileSync(`/proc/${holder.pid}/gid_map`, WHOLE_MAP);
      // The descriptor keeps the namespace alive when its first process is gone.
      return openSync(`/proc/${holder.pid}/ns/user`, 'r');
    } finally {
      holder.stdin.on('error', () => undefined).end();
    }
  }
}
