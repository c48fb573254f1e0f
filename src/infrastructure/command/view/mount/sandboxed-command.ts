import type { LiveCommand, ViewChange } from '../../../../application/ports/command/command-sandbox.js';
import { hasErrno } from '../../../state/errno.js';
import { type CoveredSandbox, coverAgain } from './covering.js';
import { freeze, hasEnded, thaw } from './frozen-processes.js';

/** Covers one after the other: who thaws must not wake what another has just stopped. */
export class CoverQueue {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  run(work: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    this.#last = this.#last.then(() => {
      this.#waiting -= 1;
      return work();
    });
    return this.#last;
  }
}

/** A command that runs in bubblewrap. */
export class SandboxedCommand implements LiveCommand {
  #isOver = false;

  constructor(
    /** All that could wake one of its processes: its own, and those of its session. */
    private readonly processes: () => readonly number[],
    /** Absent: its namespaces cannot be entered on this machine. */
    private readonly sandbox: CoveredSandbox | undefined,
    private readonly stop: (why: string) => void,
    /** Shared by the commands of a session, whose processes are stopped together. */
    private readonly queue = new CoverQueue(),
  ) {}

  cover(change: ViewChange): Promise<void> {
    return this.queue.run(() => this.#cover(change));
  }

  end(why: string): void {
    if (!this.#isOver) this.stop(why);
  }

  over(): void {
    this.#isOver = true;
  }

  async #cover(change: ViewChange): Promise<void> {
    const open = this.#isOver ? [] : await this.#attempt(change);
    const isAlive = this.sandbox === undefined || !hasEnded(this.sandbox.pid);
    if (open.length > 0 && isAlive) {
      this.end(
        `Files that it must not reach appeared or were replaced and could not be covered: ${listed(open)}.`,
      );
    }
    // All rest until the last of several files that were saved together is covered.
    if (!this.queue.isWaiting) thaw(this.processes);
  }

  async #attempt(change: ViewChange): Promise<readonly string[]> {
    const paths = [...change.hide, ...change.readOnlyInside];
    try {
      if (this.sandbox === undefined || !(await freeze(this.processes))) return paths;
      return await coverAgain(this.sandbox, change);
    } catch (error) {
      // The sandbox cannot be looked into: a command that has ended needs no cover, any other is ended.
      return isOfEndedProcess(error) ? [] : paths;
    }
  }
}

/** What the kernel says of the namespaces of a process that has ended, or is about to. */
function isOfEndedProcess(error: unknown): boolean {
  const isAboutIt = error instanceof Error && /\/proc\/\d+\/(?:mountinfo|root|ns\/mnt)'/.test(error.message);
  return isAboutIt && hasErrno(error, 'ENOENT', 'ESRCH', 'EINVAL');
}

const SHOWN = 5;

function listed(paths: readonly string[]): string {
  const more = paths.length - SHOWN;
  return paths.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
