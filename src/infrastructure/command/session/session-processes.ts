import { readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, descendantsOf } from '../process/memory-watchdog.js';
import { freeze, hasEnded } from '../view/mount/frozen-processes.js';

const PASSES = 200;
const PAUSE_MS = 2;
const STOP_EVERY = 5;

/** The processes of one command in a session, among those of others. */
export class SessionProcesses {
  /** The mount namespace that all of them have, and that the filter lets none of them leave. */
  #mounts: string | undefined;

  constructor(
    /** bwrap itself. */
    private readonly root: number,
    /** The first process of the session, which adopts what outlives its parent; undefined when that has ended. */
    private readonly init: () => number | undefined,
    private readonly processNamespace: string,
  ) {}

  /** The command's own first process, once it is bwrap's only child. */
  first(): number | undefined {
    return childrenOf(this.root).find((pid) => namespaceOf(pid, 'pid') === this.processNamespace);
  }

  /** To be called while the command waits at its gate. */
  remember(first: number): void {
    const mounts = namespaceOf(first, 'mnt');
    // Never by the server's own view: that would be every process of the machine.
    if (mounts !== namespaceOf('self', 'mnt')) this.#mounts = mounts;
  }

  list(): readonly number[] {
    return [...new Set([...descendantsOf(this.root), ...this.#adopted()])];
  }

  /**
   * Kills until nothing is left. What forks faster than it is killed is stopped first: stopped processes still count
   * against the limit, so that no more can be made. False: something is left all the same.
   */
  async end(): Promise<boolean> {
    for (let pass = 0; pass < PASSES; pass += 1) {
      const alive = this.list().filter((pid) => !hasEnded(pid));
      if (alive.length === 0) return true;
      if (pass % STOP_EVERY === STOP_EVERY - 1) await freeze(() => this.list());
      for (const pid of this.list()) signalKill(pid);
      if (pass > 0) await sleep(PAUSE_MS);
    }
    return false;
  }

  #adopted(): readonly number[] {
    const mounts = this.#mounts;
    const init = this.init();
    if (mounts === undefined || init === undefined) return [];
    return descendantsOf(init).filter((pid) => namespaceOf(pid, 'mnt') === mounts);
  }
}

export function namespaceOf(pid: number | 'self', kind: 'mnt' | 'pid'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    // It has ended since its number was read.
    return undefined;
  }
}

function signalKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
