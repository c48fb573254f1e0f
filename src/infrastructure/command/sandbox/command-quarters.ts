import type { ChildProcess } from 'node:child_process';
import type { ProcessStart } from '../process/process-launch.js';
import type { CoverQueue } from '../view/mount/sandboxed-command.js';
import type { CommandNamespaces } from './bubblewrap-arguments.js';

/** The namespaces that one command runs in, and the ways to reach its processes there. */
export interface CommandQuarters {
  /** How bwrap is started. */
  readonly start: Pick<ProcessStart, 'file' | 'identity'> & { readonly before: readonly string[] };
  /** Behind the gate and the filter. */
  readonly descriptors: readonly number[];
  /** What the command has to close. */
  readonly used: readonly number[];
  readonly namespaces: CommandNamespaces | undefined;
  /** The user namespace that owns the mounts; undefined: nothing can be covered again. */
  readonly setup: number | undefined;
  readonly covers: CoverQueue;
  /** Has its own processes, which nothing but a fault of ours would leave behind. */
  kill(child: ChildProcess): void;
  /** The command's own first process, while it waits at its gate. */
  first(child: ChildProcess): Promise<number | undefined>;
  processes(child: ChildProcess): readonly number[];
  /** All that must rest while something is covered. */
  neighbours(child: ChildProcess): readonly number[];
  isToBlame?(bytes: number, limitBytes: number): boolean;
  makeAhead(): void;
  /** What the command had left running when it ended by itself, known when it was left. */
  readonly left?: readonly string[];
  /** When bwrap has ended. `isEmpty`: the command ended by itself. Resolves when nothing of it is left. */
  leave(isEmpty: boolean): Promise<void>;
}
