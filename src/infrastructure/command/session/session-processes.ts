import { close, openSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, descendantsOf } from '../process/memory-watchdog.js';
import { hasEnded, pauseProcesses, turnFor } from '../process/paused-processes.js';

/** A killed process can take long to be gone on a busy machine, and ending the whole session costs its other commands. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 20;
const STOP_EVERY = 5;

/** The processes of one command in a session, among those of others. */
export class SessionProcesses {
  /** The mount namespace that all of them have, and that the filter lets none of them leave. */
  #mounts: string | undefined;
  /** The kernel gives the number of a namespace to another one as soon as nobody holds it. */
  #held: number | undefined;
  #ending: Promise<boolean> | undefined;
  #isGone = false;

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
    if (this.#isGone || this.#held !== undefined) return;
    const held = openNamespace(first);
    if (held === undefined) return;
    this.#held = held;
    const mounts = namespaceOf(first, 'mnt');
    // Never by the server's own view: that would be every process of the machine.
    if (mounts !== namespaceOf('self', 'mnt')) this.#mounts = mounts;
  }

  /** Nothing of it is left, and what looks for it late finds nothing that is another's. */
  forget(): void {
    this.#isGone = true;
    // Not on this thread: the last one to let go of a mount namespace takes it down.
    if (this.#held !== undefined) close(this.#held, () => undefined);
    this.#held = undefined;
  }

  /** `adopted`: all that the session's first process has, where somebody has just looked. */
  list(adopted?: readonly AdoptedProcess[]): readonly number[] {
    if (this.#isGone) return [];
    const mounts = this.#mounts;
    const all = mounts === undefined ? [] : (adopted ?? adoptedBy(this.init()));
    const own = all.filter((one) => one.mounts === mounts);
    return [...new Set([...descendantsOf(this.root), ...own.map(({ pid }) => pid)])];
  }

  alive(): readonly number[] {
    return this.list().filter((pid) => !hasEnded(pid));
  }

  /**
   * Kills until nothing is left. What forks faster than it is killed is stopped first: stopped processes still count
   * against the limit, so that no more can be made. False: something is left all the same.
   */
  end(): Promise<boolean> {
    this.#ending ??= this.#endAll().finally(() => {
      this.#ending = undefined;
    });
    return this.#ending;
  }

  async #endAll(): Promise<boolean> {
    const until = performance.now() + PATIENCE_MS;
    for (let pass = 0; performance.now() < until; pass += 1) {
      let listed = this.list();
      if (listed.every(hasEnded)) return true;
      if (pass % STOP_EVERY === STOP_EVERY - 1) {
        await pauseProcesses(() => this.list());
        listed = this.list();
      }
      for (const pid of listed) signalKill(pid);
      if (pass > 0) await sleep(Math.min(LONGEST_PAUSE_MS, PAUSE_MS + pass / STOP_EVERY));
      await turnFor(listed.length);
    }
    return false;
  }
}

/** One that outlived its parent, or what such a one has started, with its view of the files. */
interface AdoptedProcess {
  readonly pid: number;
  readonly mounts: string | undefined;
}

export function adoptedBy(init: number | undefined): readonly AdoptedProcess[] {
  if (init === undefined) return [];
  return descendantsOf(init).map((pid) => ({ pid, mounts: namespaceOf(pid, 'mnt') }));
}

export function namespaceOf(pid: number | 'self', kind: 'mnt' | 'pid'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    // It has ended since its number was read.
    return undefined;
  }
}

function openNamespace(pid: number): number | undefined {
  try {
    return openSync(`/proc/${pid}/ns/mnt`, 'r');
  } catch {
    // It has ended.
    return undefined;
  }
}

export function signalKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
