import type { LiveCommand, ViewChange } from '../../../../application/ports/command/command-sandbox.js';
import { type CoveredSandbox, coverAgain } from './covering.js';
import { freeze, hasEnded, thaw } from './frozen-processes.js';

/** A command that runs in bubblewrap. */
export class SandboxedCommand implements LiveCommand {
  #covering: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isOver = false;

  constructor(
    /** bwrap itself, whose descendants are the command. */
    private readonly root: number,
    /** Absent: its namespaces cannot be entered on this machine. */
    private readonly sandbox: CoveredSandbox | undefined,
    private readonly stop: (why: string) => void,
  ) {}

  /** One after the other: who thaws must not wake what another has just stopped. */
  cover(change: ViewChange): Promise<void> {
    this.#waiting += 1;
    this.#covering = this.#covering.then(() => {
      this.#waiting -= 1;
      return this.#cover(change);
    });
    return this.#covering;
  }

  end(why: string): void {
    if (!this.#isOver) this.stop(why);
  }

  over(): void {
    this.#isOver = true;
  }

  async #cover(change: ViewChange): Promise<void> {
    if (this.#isOver) return;
    const open = await this.#attempt(change);
    if (this.#isOver) return;
    if (open.length === 0) {
      // It rests until the last of several files that were saved together is covered.
      if (this.#waiting === 0) thaw(this.root);
    } else if (this.sandbox === undefined || !hasEnded(this.sandbox.pid)) {
      this.end(
        `Files that it must not reach appeared or were replaced and could not be covered: ${listed(open)}.`,
      );
    }
  }

  async #attempt(change: ViewChange): Promise<readonly string[]> {
    const paths = [...change.hide, ...change.readOnlyInside];
    try {
      if (this.sandbox === undefined || !(await freeze(this.root))) return paths;
      return await coverAgain(this.sandbox, change);
    } catch (error) {
      // The sandbox cannot be looked into: a command that has ended needs no cover, any other is ended.
      return isOfEndedProcess(error) ? [] : paths;
    }
  }
}

/** What the kernel says of the namespaces of a process that has ended, or is about to. */
function isOfEndedProcess(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isAboutIt = error instanceof Error && /\/proc\/\d+\/(?:mountinfo|root|ns\/mnt)'/.test(error.message);
  return isAboutIt && (code === 'ENOENT' || code === 'ESRCH' || code === 'EINVAL');
}

const SHOWN = 5;

function listed(paths: readonly string[]): string {
  const more = paths.length - SHOWN;
  return paths.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
