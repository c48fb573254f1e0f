import { closeSync, readFileSync } from 'node:fs';
import {
  mapAll,
  type NamespaceHelper,
  nextLine,
  openNamespace,
  startHelper,
  wholeMap,
} from '../launch/namespace-helper.js';
import type { Identity } from '../process/command-identity.js';
import { childrenOf } from '../process/memory-watchdog.js';

export interface NamespacePrograms {
  readonly unshare: string;
  readonly nsenter: string;
  readonly isRoot: boolean;
}

const MAX_IDLE = 8;
/**
 * A user has so many inotify watches and instances, and the server is the same user: all commands of a session together get
 * half of what there is. Where the kernel does not take it, the server polls when none is left.
 */
function halfOfTheWatches(): string {
  return ['watches', 'instances'].map((kind) => `${halfOf(kind)} 2>/dev/null`).join('; ');
}

function halfOf(kind: string): string {
  try {
    const all = Number(readFileSync(`/proc/sys/fs/inotify/max_user_${kind}`, 'utf8'));
    return `{ echo ${Math.floor(all / 2)} >/proc/sys/user/max_inotify_${kind}; }`;
  } catch {
    // This /proc is closed.
    return ':';
  }
}

/**
 * The user namespaces of one session, or of the commands without one: an outer one that owns its network, its processes and all mounts, and inside
 * it one for each command. The kernel lets no process of one inner namespace look into a process of another: not
 * into its memory, its environment or its view of the files.
 */
export class SessionNamespaces {
  readonly #idle: number[] = [];
  #isClosed = false;
  #making = false;

  private constructor(
    readonly setup: number,
    private readonly identity: Identity,
    private readonly programs: NamespacePrograms,
    /** Over all commands of the session; absent: each has a limit of its own. */
    private readonly maxProcesses: number | undefined,
  ) {}

  static async open(
    identity: Identity,
    programs: NamespacePrograms,
    maxProcesses?: number,
  ): Promise<SessionNamespaces> {
    const { unshare, isRoot } = programs;
    const map = isRoot ? [] : ['--map-root-user'];
    const args = ['--user', ...map, '/bin/sh', '-c', 'echo; read -r line'];
    const holder = await startHelper(unshare, args, isRoot ? { identity } : {});
    try {
      await nextLine(holder, unshare);
      if (isRoot) mapAll(holder, identity);
      const setup = openNamespace(holder.pid, 'user');
      return new SessionNamespaces(setup, identity, programs, maxProcesses);
    } finally {
      holder.stdin.end();
    }
  }

  /** A namespace for one command, to be given back when nothing of it is left. */
  async take(): Promise<number> {
    return this.#idle.pop() ?? (await this.#create());
  }

  /** Makes one while a command runs, so that the next command finds one. */
  prewarm(): void {
    if (this.#isClosed || this.#making || this.#idle.length > 0) return;
    this.#making = true;
    this.#create()
      .then(
        (made) => this.giveBack(made, true),
        // Whoever needs it tries again and is told why it cannot be made.
        () => undefined,
      )
      .finally(() => {
        this.#making = false;
      });
  }

  giveBack(namespace: number, isEmpty: boolean): void {
    if (isEmpty && !this.#isClosed && this.#idle.length < MAX_IDLE) this.#idle.push(namespace);
    else closeSync(namespace);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const namespace of this.#idle.splice(0)) closeSync(namespace);
    closeSync(this.setup);
  }

  #create(): Promise<number> {
    return this.programs.isRoot ? this.#createMapped() : this.#createOwn();
  }

  /** Of an ordinary server: the user is himself again in there. */
  async #createOwn(): Promise<number> {
    const { uid, gid } = this.identity;
    const helper = await this.#enter(
      ['--preserve-credentials'],
      `${this.#limit}; exec "$0" --user --map-user=${uid} --map-group=${gid} /bin/sh -c 'echo; read -r line'`,
      [],
    );
    try {
      await nextLine(helper, this.programs.unshare);
      return openNamespace(helper.pid, 'user');
    } finally {
      helper.stdin.end();
    }
  }

  /** A map can only be written from within or from the namespace around it, where the helper is. */
  async #createMapped(): Promise<number> {
    const { uid, gid } = this.identity;
    const [uids, gids] = [uid, gid].map((own) => wholeMap(own).replaceAll('\n', '\\n'));
    const script = [
      this.#limit,
      `"$0" --user /bin/sh -c 'echo; read -r line' <&4 &`,
      'exec 4<&-',
      'read -r go || exit 1',
      `printf '${uids}' >/proc/$!/uid_map && printf '${gids}' >/proc/$!/gid_map && echo`,
      'wait',
    ].join('\n');
    const helper = await this.#enter(['-S', '0', '-G', '0'], script, ['pipe']);
    const inner = helper.stdio[4];
    try {
      await nextLine(helper, this.programs.unshare);
      helper.stdin.write('\n');
      await nextLine(helper, this.programs.unshare);
      const pid = helper.pid === undefined ? undefined : childrenOf(helper.pid)[0];
      return openNamespace(pid, 'user');
    } finally {
      helper.stdin.end();
      inner?.destroy();
    }
  }

  // The limit on processes at the moment a namespace is made holds for all of its siblings together.
  get #limit(): string {
    if (this.maxProcesses === undefined) return halfOfTheWatches();
    return `${halfOfTheWatches()}; ulimit -u ${this.maxProcesses} 2>/dev/null || ulimit -p ${this.maxProcesses}`;
  }

  #enter(credentials: readonly string[], script: string, more: readonly 'pipe'[]): Promise<NamespaceHelper> {
    const { nsenter, unshare } = this.programs;
    const args = ['--user=/proc/self/fd/3', ...credentials, '--', '/bin/sh', '-c', script, unshare];
    return startHelper(nsenter, args, { descriptors: [this.setup, ...more] });
  }
}

/** User namespaces of a command that has no session. */
export interface NamespaceLease {
  /** Owns the mounts. */
  readonly setup: number;
  /** In which the command runs, where that is another one. */
  readonly command: number | undefined;
  /** `isEmpty`: the command ended by itself, so nothing is still dying in there. */
  release(isEmpty: boolean): void;
}

/**
 * An ordinary user's commands share the namespace of the set-up, in which he is user 0, as mount(8) insists on; each has one
 * inside of it in which he is himself again. A root server makes one for each command.
 */
export class PrivateNamespaces {
  #shared: Promise<SessionNamespaces> | undefined;

  constructor(private readonly programs: NamespacePrograms) {}

  async take(identity: Identity): Promise<NamespaceLease> {
    if (this.programs.isRoot) {
      const own = await SessionNamespaces.open(identity, this.programs);
      return { setup: own.setup, command: undefined, release: () => own.close() };
    }
    this.#shared ??= SessionNamespaces.open(identity, this.programs);
    const users = await this.#shared;
    const command = await users.take();
    return { setup: users.setup, command, release: (isEmpty) => users.giveBack(command, isEmpty) };
  }

  async close(): Promise<void> {
    const shared = await this.#shared?.catch(() => undefined);
    shared?.close();
  }
}
