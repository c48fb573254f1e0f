import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { StartNow } from '../../process/process-starter.js';
import { type Identity, spawnIds } from './command-identity.js';
import type { MemoryWatch } from './memory-watchdog.js';

/** The child's end of the gate; the descriptors that a start names follow it. */
export const BARRIER_DESCRIPTOR = 3;

/**
 * Holds a child back until it has said that it is ready. A child whose server dies before the answer reads an
 * end in its place and runs nothing. One that has been answered was ready, and the server alive, after all had
 * been set up that ends it with the server: so there is no moment at which a killed server leaves it running.
 */
export class StartBarrier {
  readonly #socket: Duplex;
  #isReady = false;
  #isOpen = false;
  #onReady: (() => void) | undefined;

  constructor(child: ChildProcess) {
    const socket = child.stdio[BARRIER_DESCRIPTOR];
    if (!(socket instanceof Duplex)) throw new Error('The child was started without a gate.');
    this.#socket = socket;
    // A child that ends before its time resets the connection; its ending is told elsewhere.
    socket.on('error', () => undefined);
    socket.once('data', () => {
      this.#isReady = true;
      this.#onReady?.();
    });
  }

  /** The child was let go. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** `onReady`: everything is set up, and the child waits for `open`; at once where it does already. */
  watch(onReady: () => void): void {
    this.#onReady = onReady;
    if (this.#isReady) onReady();
  }

  open(): void {
    if (this.#socket.destroyed) return;
    this.#isOpen = true;
    this.#socket.end('\n');
    this.#socket.resume();
  }

  /** From here on the child is not let go any more. */
  shut(): void {
    this.#socket.destroy();
  }
}

/** Absent input is the null device. */
export type StandardInput = 'ignore' | 'pipe';

export interface ProcessStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Only root can start a process as somebody else. */
  readonly identity?: Identity | undefined;
  /** Become 3, 4, … in the child, or 4, 5, … where it has a gate. */
  readonly descriptors: readonly number[];
  /** A process group of its own. */
  readonly detached: boolean;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  /** Present: the child waits there until it is let go. */
  readonly gate?: StartBarrier;
}

export interface ProcessLaunch {
  /** Called once; what it throws is told as a process that did not start. */
  readonly start: (stdin: StandardInput) => StartedProcess;
  /** Asked and told where the child waits at a gate. */
  readonly gate?: LaunchBarrier;
  /** Folders in the child's view that live in memory, by paths of the host. */
  readonly temporary?: (child: ChildProcess) => readonly string[];
  /** Its processes, where they are not simply its descendants. */
  readonly processes?: (child: ChildProcess) => readonly number[];
  readonly sockets?: MemoryWatch['sockets'];
  readonly isToBlame?: MemoryWatch['isToBlame'];
  /** Asks all that the command has started to end; they may tidy up first. */
  readonly terminate: (child: ChildProcess) => void;
  readonly kill: (child: ChildProcess) => void;
}

export interface LaunchBarrier {
  /** Asked when all is set up and nothing has run; an answer says why nothing may. */
  readonly admit: (child: ChildProcess) => Promise<string | undefined>;
  /** Told just before the child is let go. What it answers is called when nothing of the child is left. */
  readonly begin: (child: ChildProcess, end: (why: string) => void) => () => void;
}

export function startFreely(startNow: StartNow, start: ProcessStart): ProcessLaunch['start'] {
  return (stdin) => ({ child: startCommand(startNow, start, stdin, start.descriptors) });
}

export function startAtBarrier(
  startNow: StartNow,
  start: ProcessStart,
  stdin: StandardInput,
): Required<StartedProcess> {
  const child = startCommand(startNow, start, stdin, ['pipe', ...start.descriptors]);
  return { child, gate: new StartBarrier(child) };
}

function startCommand(
  startNow: StartNow,
  { file, args, cwd, env, identity, detached }: ProcessStart,
  stdin: StandardInput,
  descriptors: readonly ('pipe' | number)[],
): ChildProcess {
  return startNow(file, args, {
    cwd,
    env,
    detached,
    ...(identity && spawnIds(identity)),
    stdio: [stdin, 'pipe', 'pipe'],
    descriptors,
  });
}
