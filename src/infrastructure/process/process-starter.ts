import type { ChildProcess } from 'node:child_process';
import { type ExtraStdio, extraDescriptors } from './inherited-descriptors.js';

interface ProcessOptions {
  readonly cwd?: string;
  /** The whole environment. Left out: the server's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Become 3, 4, … in the process: open descriptors of the server, and pipes. It inherits no others. */
  readonly descriptors?: readonly ExtraStdio[];
}

export interface StartOptions extends ProcessOptions {
  /** Its three standard streams. */
  readonly stdio: readonly ['ignore' | 'pipe', 'ignore' | 'pipe', 'ignore' | 'pipe'];
  /** Only root can start a process as somebody else. Signed numbers of 32 bits, as Node takes them. */
  readonly uid?: number;
  readonly gid?: number;
  /** A process group of its own. */
  readonly detached?: boolean;
}

export interface RunOptions extends ProcessOptions {
  readonly input?: string;
  readonly timeoutMs?: number;
  /** Of each of its two outputs; a program that says more is ended. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** How a program ended, whatever it answered. */
export interface ProgramRun {
  /** undefined: it did not start, or was ended by a signal, its time, its output or its caller. */
  readonly exitCode: number | undefined;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** It said more than it may. */
  readonly isTooLong: boolean;
  /** Why it did not exit with 0, in one sentence. */
  readonly problem: string | undefined;
  /** There is no such program. */
  readonly isMissing: boolean;
}

/** Nothing of what execa adds to a process by default: it does not outlive us, and a failed exit is an answer. */
const PLAIN = {
  reject: false,
  cleanup: false,
  stripFinalNewline: false,
  killSignal: 'SIGKILL',
  forceKillAfterDelay: false,
  verbose: 'none',
} as const;
const MAX_BYTES = 1024 * 1024;

/** Loaded with the first process: most conversations start none. */
const load = (): Promise<typeof import('execa')> => import('execa');

/**
 * Starts a process before it returns, for callers whose descriptors could be closed while they wait. If the process
 * cannot be started, the child has no `pid` and emits `error`. Its pipes are the caller's to read.
 */
export type StartNow = (file: string, args: readonly string[], options: StartOptions) => ChildProcess;

/** Resolves when execa is loaded, which takes time with the first process only. */
export async function processStarter(): Promise<StartNow> {
  const { execa } = await load();
  return (file, args, { stdio, uid, gid, detached = false, ...place }) => {
    const child = execa(file, args, {
      ...PLAIN,
      ...surroundings(place),
      ...(uid !== undefined && { uid }),
      ...(gid !== undefined && { gid }),
      detached,
      buffer: false,
      stdio: [...stdio, ...inherited(place)],
    });
    if (child.pid === undefined) emitStartError(child, child);
    // execa's process is also a promise of its own end; `await` would wait for that.
    const started: ChildProcess = child;
    Reflect.deleteProperty(started, 'then');
    return started;
  };
}

/** Starts a process whose pipes the caller reads. Rejects if it cannot be started. */
export async function startProcess(
  file: string,
  args: readonly string[],
  options: StartOptions,
): Promise<ChildProcess> {
  const start = await processStarter();
  const child = start(file, args, options);
  if (child.pid === undefined) await new Promise((_, reject) => child.once('error', reject));
  return child;
}

/** Node emits `error` for most failed starts. It throws the others, such as E2BIG, and execa only reports those. */
function emitStartError(child: ChildProcess, run: PromiseLike<{ readonly cause?: unknown }>): void {
  let isEmitted = false;
  child.once('error', () => {
    isEmitted = true;
  });
  void run.then(({ cause }) => {
    if (!isEmitted) child.emit('error', cause);
  });
}

/** Runs a program to its end and collects what it says. */
export async function runProgram(
  file: string,
  args: readonly string[],
  { input, timeoutMs, maxBytes = MAX_BYTES, signal, ...place }: RunOptions,
): Promise<ProgramRun> {
  const { execa } = await load();
  const run = await execa(file, args, {
    ...PLAIN,
    ...surroundings(place),
    ...(input !== undefined && { input }),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...inherited(place)],
    encoding: 'buffer',
    maxBuffer: maxBytes,
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    ...(signal && { cancelSignal: signal }),
  });
  return {
    exitCode: run.failed && run.exitCode === 0 ? undefined : run.exitCode,
    stdout: run.stdout,
    stderr: run.stderr,
    isTooLong: run.isMaxBuffer,
    problem: run.failed ? run.shortMessage : undefined,
    isMissing: run.code === 'ENOENT',
  };
}

function surroundings({ cwd, env }: ProcessOptions): object {
  return { ...(cwd !== undefined && { cwd }), ...(env !== undefined && { env, extendEnv: false }) };
}

/** execa's types name the descriptors 3 to 9; it hands any open one on. */
type Passed = Exclude<ExtraStdio, number> | 3;

function inherited({ descriptors = [] }: ProcessOptions): readonly Passed[] {
  return extraDescriptors(descriptors).filter(isPassed);
}

function isPassed(entry: ExtraStdio): entry is Passed {
  return typeof entry === 'string' || Number.isInteger(entry);
}
