import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { extraDescriptors } from '../../process/inherited-descriptors.js';
import { childrenOf } from '../process/memory-watchdog.js';
import { type Identity, spawnIds } from '../process/user-namespace-pool.js';

export interface NamespacePrograms {
  readonly unshare: string;
  readonly nsenter: string;
  readonly isRoot: boolean;
}

/** Ids that are mapped one to one, as in the pool of single commands. */
const MAPPED_IDS = 65_535;
const MAX_IDLE = 8;

/**
 * The user namespaces of one session: an outer one that owns its network, its processes and all mounts, and inside
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
    /** Over all commands of the session. */
    private readonly maxProcesses: number,
  ) {}

  static async open(
    identity: Identity,
    programs: NamespacePrograms,
    maxProcesses: number,
  ): Promise<SessionNamespaces> {
    const { unshare, isRoot } = programs;
    const map = isRoot ? [] : ['--map-root-user'];
    const holder = spawn(unshare, ['--user', ...map, '/bin/sh', '-c', 'echo; read -r line'], {
      ...(isRoot && spawnIds(identity)),
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
    });
    try {
      await said(holder);
      if (isRoot) {
        writeFileSync(`/proc/${holder.pid}/uid_map`, wholeMap(identity.uid));
        writeFileSync(`/proc/${holder.pid}/gid_map`, wholeMap(identity.gid));
      }
      const setup = openSync(`/proc/${holder.pid}/ns/user`, 'r');
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
  makeAhead(): void {
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
    const helper = this.#enter(
      ['--preserve-credentials'],
      `${this.#limit}; exec "$0" --user --map-user=${uid} --map-group=${gid} /bin/sh -c 'echo; read -r line'`,
      [],
    );
    try {
      await said(helper);
      return openSync(`/proc/${helper.pid}/ns/user`, 'r');
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
    const helper = this.#enter(['-S', '0', '-G', '0'], script, ['pipe']);
    const inner = helper.stdio[4];
    try {
      await said(helper);
      helper.stdin.write('\n');
      await said(helper);
      const pid = helper.pid === undefined ? undefined : childrenOf(helper.pid)[0];
      return openSync(`/proc/${pid}/ns/user`, 'r');
    } finally {
      helper.stdin.end();
      inner?.destroy();
    }
  }

  // The limit on processes at the moment a namespace is made holds for all of its siblings together.
  get #limit(): string {
    return `ulimit -u ${this.maxProcesses} 2>/dev/null || ulimit -p ${this.maxProcesses}`;
  }

  #enter(credentials: readonly string[], script: string, more: readonly 'pipe'[]): Helper {
    const { nsenter, unshare } = this.programs;
    const helper = spawn(
      nsenter,
      ['--user=/proc/self/fd/3', ...credentials, '--', '/bin/sh', '-c', script, unshare],
      { cwd: '/', stdio: ['pipe', 'pipe', 'ignore', ...extraDescriptors([this.setup, ...more])], env: {} },
    );
    const { stdin, stdout } = helper;
    if (stdin === null || stdout === null) throw new Error('nsenter was started without pipes');
    return Object.assign(helper, { stdin, stdout });
  }
}

type Helper = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };

/** Every ordinary id, and the command's own where it is beyond them. */
function wholeMap(own: number): string {
  return `0 0 ${MAPPED_IDS}\n${own < MAPPED_IDS ? '' : `${own} ${own} 1\n`}`;
}

function said(holder: Helper): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`a user namespace could not be made (${code})`));
    holder.once('error', reject);
    holder.once('exit', onExit);
    holder.stdin.on('error', () => undefined);
    for (const pipe of holder.stdio) pipe?.on('error', () => undefined);
    holder.stdout.once('data', () => {
      holder.off('exit', onExit);
      resolve();
    });
  });
}
