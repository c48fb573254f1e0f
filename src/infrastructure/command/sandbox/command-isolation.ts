import type { ChildProcess } from 'node:child_process';
import type { BubblewrapRequest } from '../launch/bubblewrap-arguments.js';
import type { ProcessStart } from '../process/process-launch.js';
import type { MaskQueue } from '../session/masked-command.js';
import type { SessionView } from '../session/session-view.js';

/** The namespaces that one command runs in, and the ways to reach its processes there. */
export interface CommandIsolation {
  /** Absent: bwrap mounts everything itself, and nothing can be mounted later. */
  readonly view: SessionView | undefined;
  /** Behind the gate's. */
  readonly descriptors: readonly number[];
  /** How bwrap is started. */
  start(request: BubblewrapRequest): Pick<ProcessStart, 'file' | 'args' | 'identity'>;
  /** Its first process is the first of its own processes, with which the kernel ends all others. */
  readonly isFirst: boolean;
  readonly masks: MaskQueue;
  /** Has its own processes, which nothing but a fault of ours would leave behind. */
  kill(child: ChildProcess): void;
  /** The command's own first process, while it waits at its gate. */
  first(child: ChildProcess): Promise<number | undefined>;
  processes(child: ChildProcess): readonly number[];
  /** All that must rest while something is masked. */
  processesToPause(child: ChildProcess): readonly number[];
  isToBlame?(bytes: number, limitBytes: number): boolean;
  /** Prepares for the next command. */
  prewarm?(): void;
  /** What the command had left running when it ended by itself, known when it was left. */
  readonly left?: readonly string[];
  /** When bwrap has ended. `isEmpty`: the command ended by itself. Resolves when nothing of it is left. */
  leave(isEmpty: boolean): Promise<void>;
}
