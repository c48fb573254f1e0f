import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../../process/process-starter.js';
import type { MountPlan } from '../mounts/mount-plan.js';
import type { Outside } from '../network/outside.js';
import { SessionNetworks } from '../network/session-networks.js';
import { type Identity, spawnIds } from '../process/command-identity.js';
import { GRACE_MS, terminateAll } from '../process/interruption.js';
import { childrenOf } from '../process/memory-watchdog.js';
import { hasEnded, turnFor } from '../process/paused-processes.js';
import { MaskQueue } from './masked-command.js';
import { type NamespacePrograms, SessionNamespaces } from './session-namespaces.js';
import { adoptedBy, namespaceOf, SessionProcesses, signalKill } from './session-processes.js';
import { SessionView } from './session-view.js';
import type { ViewMaker, ViewOwner } from './view-mounts.js';

export interface SessionPrograms extends NamespacePrograms {
  readonly bwrap: string;
  /** Folders and links of the system, so that the holder's shell runs. */
  readonly systemArguments: readonly string[];
  readonly outside?: Outside | undefined;
}

/** What one command holds of its session. */
export interface SessionMembership {
  /** User namespace of this command alone. */
  readonly command: number;
  /** Whether it ended as it should, so that its namespace can serve another. */
  release(isEmpty: boolean): void;
}

/** Most commands see the same; git alone may see more for one command. */
const MOST_VIEWS = 2;
const PAUSE_MS = 10;

/**
 * The network and the processes that the commands of a session share. A holder keeps them: the first process of the
 * session, which adopts what outlives its parent and with which the kernel ends all others. It ends with the server,
 * whichever way that ends: it reads from a pipe that closes, and asks the kernel to die with its parent.
 */
export class CommandSession {
  readonly #members = new Set<SessionProcesses>();
  readonly #memory = new Map<SessionProcesses, number>();
  /** Processes of one command could wake those of another: they are stopped together. */
  readonly masks = new MaskQueue();
  /** The one used last is the last. */
  #views: SessionView[] = [];
  #lastView: Promise<unknown> = Promise.resolve();
  #isOver = false;
  #isEnding = false;

  private constructor(
    private readonly holder: ChildProcess,
    private readonly init: number,
    private readonly processNamespace: string,
    readonly namespaces: { readonly net: number; readonly pid: number },
    private readonly users: SessionNamespaces,
    private readonly identity: Identity,
    readonly networks: SessionNetworks,
  ) {
    holder.once('exit', () => this.#over());
    // A server with nothing else to do may end; its holders end with it.
    holder.unref();
    if (holder.stdin instanceof Socket) holder.stdin.unref();
  }

  static async open(
    identity: Identity,
    programs: SessionPrograms,
    maxProcesses: number,
  ): Promise<CommandSession> {
    const users = await SessionNamespaces.open(identity, programs, maxProcesses);
    let holder: ChildProcess | undefined;
    try {
      holder = await startHolder(users.setup, identity, programs);
      await ready(holder);
      const init = holder.pid === undefined ? undefined : childrenOf(holder.pid)[0];
      const processes = init === undefined ? undefined : namespaceOf(init, 'pid');
      if (init === undefined || processes === undefined || processes === namespaceOf('self', 'pid'))
        throw new Error('the holder of the session has ended');
      const namespaces = {
        net: openSync(`/proc/${init}/ns/net`, 'r'),
        pid: openSync(`/proc/${init}/ns/pid`, 'r'),
      };
      const networks = new SessionNetworks({ ...programs, identity, setup: users.setup });
      return new CommandSession(holder, init, processes, namespaces, users, identity, networks);
    } catch (error) {
      holder?.kill('SIGKILL');
      users.close();
      throw error;
    }
  }

  /** Nobody may join it any more, also where its last processes have not ended yet. */
  get isOver(): boolean {
    return this.#isOver || this.#isEnding;
  }

  /** In which sandboxes are set up, and which owns their mounts. */
  get setup(): number {
    return this.users.setup;
  }

  /** The view for a command, made if there is none that shows this. Left by who asked for it. */
  view(maker: ViewMaker, plan: MountPlan): Promise<SessionView> {
    const found = this.#lastView.then(() => this.#view(maker, plan));
    this.#lastView = found.catch(() => undefined);
    return found;
  }

  async join(): Promise<SessionMembership> {
    const command = await this.users.take();
    return { command, release: (isEmpty) => this.users.giveBack(command, isEmpty) };
  }

  prewarm(): void {
    this.users.prewarm();
  }

  enter(bwrap: number): SessionProcesses {
    const member = new SessionProcesses(
      bwrap,
      () => (this.#isOver ? undefined : this.init),
      this.processNamespace,
    );
    this.#members.add(member);
    return member;
  }

  leave(member: SessionProcesses): void {
    this.#members.delete(member);
    this.#memory.delete(member);
    member.forget();
  }

  /** All that commands of the session run. */
  processes(): readonly number[] {
    const adopted = adoptedBy(this.#isOver ? undefined : this.init);
    return [...new Set([...this.#members].flatMap((member) => member.list(adopted)))];
  }

  /** Notes what a command uses; answers whether all together are beyond the limit and this one uses the most. */
  isToBlame(member: SessionProcesses, bytes: number, limitBytes: number): boolean {
    this.#memory.set(member, bytes);
    const all = [...this.#memory.values()];
    return all.reduce((sum, part) => sum + part, 0) > limitBytes && bytes === Math.max(...all);
  }

  /** Asks everything in it to end, waits a moment, and ends what is left. */
  async end(): Promise<void> {
    this.#isEnding = true;
    terminateAll(this.processes());
    for (const until = performance.now() + GRACE_MS; performance.now() < until; await sleep(PAUSE_MS)) {
      const processes = this.processes();
      if (this.#isOver || processes.every(hasEnded)) break;
      await turnFor(processes.length);
    }
    await this.kill();
  }

  /** Ends everything in it at once. */
  kill(): Promise<void> {
    this.#isEnding = true;
    return new Promise((resolve) => {
      if (this.#isOver) return resolve();
      // Somebody waits for it now: a server that has nothing else to do must not end before the answer.
      this.holder.ref();
      this.holder.once('exit', () => resolve());
      this.holder.stdin?.destroy();
      signalKill(this.init);
      this.holder.kill('SIGKILL');
    });
  }

  async #view(maker: ViewMaker, plan: MountPlan): Promise<SessionView> {
    const known = await this.#find(plan);
    const view = known ?? (await SessionView.open(maker, this.#owner, plan));
    view.use();
    // What lives in memory goes with its command, and so does what shows it.
    if (this.isOver || plan.base.some(({ kind }) => kind === 'temporary')) view.drop();
    else this.#keep(view);
    return view;
  }

  get #owner(): ViewOwner {
    return { identity: this.identity, setup: this.setup, processes: this.namespaces.pid };
  }

  async #find(plan: MountPlan): Promise<SessionView | undefined> {
    for (const view of [...this.#views].reverse()) if (await view.hold(plan)) return view;
    return undefined;
  }

  #keep(view: SessionView): void {
    this.#views = [...this.#views.filter((one) => one !== view), view];
    for (const old of this.#views.splice(0, this.#views.length - MOST_VIEWS)) old.drop();
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const view of this.#views.splice(0)) view.drop();
    this.networks.close();
    closeSync(this.namespaces.net);
    closeSync(this.namespaces.pid);
    this.users.close();
  }
}

// Reading the pipe ends it when the server is gone, even where the death signal got lost.
const HOLD = 'exec 3<&-; echo; exec >&-; read -r line';

function startHolder(
  setup: number,
  identity: Identity,
  { bwrap, isRoot, systemArguments }: SessionPrograms,
): Promise<ChildProcess> {
  const args = [
    ...['--userns', '3', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...systemArguments,
    ...['--proc', '/proc', '--remount-ro', '/proc', '--remount-ro', '/'],
    ...['--', '/bin/sh', '-c', HOLD],
  ];
  return startProcess(bwrap, args, {
    ...(isRoot && spawnIds(identity)),
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    descriptors: [setup],
  });
}

function ready(holder: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('bwrap could not hold the namespaces of a session'));
    holder.once('error', reject);
    holder.once('exit', onExit);
    holder.stdin?.on('error', () => undefined);
    holder.stdout?.once('data', () => {
      holder.off('exit', onExit);
      holder.stdout?.destroy();
      resolve();
    });
  });
}
