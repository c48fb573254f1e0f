import type { ChildProcess } from 'node:child_process';
import { childrenOfThread, descendantsOf } from '../process/memory-watchdog.js';
import type { NamespaceLease, UserNamespacePool } from '../process/user-namespace-pool.js';
import { CoverQueue } from '../view/mount/sandboxed-command.js';
import { type CommandNamespaces, USED_DESCRIPTORS } from './bubblewrap-arguments.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandQuarters } from './command-quarters.js';

/** A command alone with what it starts: when its first process ends, the kernel ends all others. */
export class PrivateQuarters implements CommandQuarters {
  readonly start: CommandQuarters['start'];
  readonly descriptors: readonly number[];
  readonly used = USED_DESCRIPTORS;
  readonly namespaces: CommandNamespaces | undefined;
  readonly covers = new CoverQueue();
  readonly #pool: UserNamespacePool | undefined;

  constructor(
    host: BubblewrapHost,
    private readonly lease: NamespaceLease | undefined,
  ) {
    this.#pool = host.namespaces;
    this.start = { file: host.bwrap, before: [], identity: host.isRoot ? lease?.identity : undefined };
    this.descriptors = [lease?.setup, lease?.command].filter((descriptor) => descriptor !== undefined);
    this.namespaces = lease && { nested: lease.command !== undefined, isRoot: host.isRoot };
  }

  get setup(): number | undefined {
    return this.lease?.setup;
  }

  // The first process of a PID namespace takes all the others with it. bwrap's own death would end it too, a
  // moment later; ending it first leaves no such moment.
  kill(child: ChildProcess): void {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    for (const pid of descendantsOf(child.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone already.
      }
    }
    child.kill('SIGKILL');
  }

  /** bwrap has one child, and keeps its number from being used again until it ends itself. */
  async first(child: ChildProcess): Promise<number | undefined> {
    return child.pid === undefined ? undefined : childrenOfThread(child.pid, child.pid)[0];
  }

  processes({ pid }: ChildProcess): readonly number[] {
    return pid === undefined ? [] : descendantsOf(pid);
  }

  neighbours(child: ChildProcess): readonly number[] {
    return this.processes(child);
  }

  makeAhead(): void {
    if (this.lease !== undefined) this.#pool?.makeAhead(this.lease.identity);
  }

  async leave(isEmpty: boolean): Promise<void> {
    if (this.lease !== undefined) this.#pool?.giveBack(this.lease, isEmpty);
  }
}
