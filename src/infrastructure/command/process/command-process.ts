import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type { OutputLine, SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { BufferReclaim, LineSplitter, OutputRing, shareBudget } from './command-output.js';
import { GRACE_MS, type Interruption, isGentle } from './interruption.js';
import { descendantsOf, type MemoryWatch, watchMemory } from './memory-watchdog.js';
import { openInput } from './open-input.js';
import type { CommandOutput, ProcessEnding } from './process-ending.js';
import type { ProcessLaunch, StartBarrier } from './process-launch.js';

// After the command's own end, a pipe that stays silent for so many looks is held by a process that outlived it. Pipes
// are read between two looks, however long this process had to wait for its turn: time alone would lose output then.
const SILENT_LOOKS = 4;
const LOOK_MS = 50;

/** One command from its start until nothing of it is left to read. */
export class CommandProcess {
  readonly #stdout: OutputRing;
  readonly #stderr: OutputRing;
  readonly #splitters: LineSplitter[] = [];
  readonly #reclaim = new BufferReclaim();
  #gate: StartBarrier | undefined;
  #interruption: Interruption | undefined;
  #sinkError: Error | undefined;
  #saving: Promise<void> = Promise.resolve();
  #pending = 0;
  #silentLooks = 0;
  #onGone: (() => void) | undefined;
  #lastMoment: NodeJS.Timeout | undefined;

  constructor(
    private readonly launch: ProcessLaunch,
    private readonly job: SandboxJob,
  ) {
    this.#stdout = new OutputRing(job.limits.maxOutputBytes);
    this.#stderr = new OutputRing(job.limits.maxOutputBytes);
  }

  async run(signal: AbortSignal): Promise<ProcessEnding> {
    if (signal.aborted) return { kind: 'cancelled' };
    const started = performance.now();
    let child: ChildProcess;
    try {
      child = this.#start();
    } catch (error) {
      return { kind: 'not-started', error: error instanceof Error ? error : new Error(String(error)) };
    }
    const release = this.#guard(child, signal);
    try {
      const ending = await this.#ended(child);
      await this.#saving;
      return this.#describe(ending, performance.now() - started);
    } finally {
      release();
      this.#onGone?.();
    }
  }

  #start(): ChildProcess {
    const { stdin, onInput } = this.job;
    const { child, gate } = this.launch.start(
      stdin === undefined && onInput === undefined ? 'ignore' : 'pipe',
    );
    this.#gate = gate;
    this.#collect(child, child.stdout, this.#stdout, 'stdout');
    this.#collect(child, child.stderr, this.#stderr, 'stderr');
    this.#feed(child);
    gate?.watch(() => void this.#admit(child));
    return child;
  }

  #feed({ stdin }: ChildProcess): void {
    const { stdin: text, onInput } = this.job;
    // A command that does not read its input closes the pipe; that is no failure.
    stdin?.on('error', () => undefined);
    if (onInput === undefined) stdin?.end(text);
    else if (stdin !== null) {
      if (text !== undefined) stdin.write(text);
      onInput(openInput(stdin));
    }
  }

  #collect(child: ChildProcess, stream: Readable | null, ring: OutputRing, name: OutputLine['stream']): void {
    const { onOutput, saveOutput } = this.job;
    const splitter = onOutput && new LineSplitter((text) => onOutput({ stream: name, text }));
    if (splitter) this.#splitters.push(splitter);
    stream?.on('error', () => undefined);
    stream?.on('data', (chunk: Buffer) => {
      this.#silentLooks = 0;
      ring.write(chunk);
      this.job.onChunk?.(chunk);
      this.#reclaim.count(chunk.length);
      splitter?.write(chunk);
      if (saveOutput) this.#save(saveOutput, chunk, stream, child);
    });
  }

  /** Reading stops until the chunk is stored, so a slow disk slows the command and fills no memory. */
  #save(
    saveOutput: (chunk: Uint8Array) => Promise<void>,
    chunk: Buffer,
    stream: Readable,
    child: ChildProcess,
  ): void {
    if (this.#sinkError) return;
    stream.pause();
    this.#pending += 1;
    this.#saving = this.#saving
      .then(() => (this.#sinkError ? undefined : saveOutput(chunk)))
      .catch((error: unknown) => {
        this.#sinkError ??= error instanceof Error ? error : new Error(String(error));
        this.#interrupt(child, { kind: 'not-saved' });
      })
      .finally(() => {
        this.#pending -= 1;
        this.#silentLooks = 0;
        stream.resume();
      });
  }

  async #admit(child: ChildProcess): Promise<void> {
    const { gate } = this.launch;
    if (gate === undefined) return;
    try {
      const why = await gate.admit(child);
      if (this.#interruption !== undefined || child.exitCode !== null || child.signalCode !== null) return;
      if (why !== undefined) return this.#interrupt(child, { kind: 'not-admitted', why });
      this.#onGone = gate.begin(child, (reason) => this.#interrupt(child, { kind: 'ended', why: reason }));
      // Whoever was just told may have ended it.
      if (this.#interruption === undefined) this.#gate?.open();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#interrupt(child, { kind: 'not-admitted', why });
    }
  }

  #interrupt(child: ChildProcess, why: Interruption): void {
    const isFirst = this.#interruption === undefined;
    this.#interruption ??= why;
    const hasBegun = this.#gate?.isOpen ?? true;
    this.#gate?.shut();
    if (!isGentle(why) || !hasBegun) this.launch.kill(child);
    else if (isFirst) {
      this.launch.terminate(child);
      this.#lastMoment = setTimeout(() => this.launch.kill(child), GRACE_MS);
    }
  }

  #guard(child: ChildProcess, signal: AbortSignal): () => void {
    const { timeoutMs, memoryBytes } = this.job.limits;
    const timer = setTimeout(() => this.#interrupt(child, { kind: 'timeout' }), timeoutMs);
    const onAbort = (): void => this.#interrupt(child, { kind: 'cancelled' });
    signal.addEventListener('abort', onAbort, { once: true });
    const stopWatching =
      child.pid === undefined || process.platform !== 'linux'
        ? undefined
        : watchMemory(
            {
              ...this.#watched(child, child.pid),
              temporary: () => (this.#gate?.isOpen === true ? (this.launch.temporary?.(child) ?? []) : []),
              limitBytes: memoryBytes,
            },
            () => this.#interrupt(child, { kind: 'memory' }),
          );
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      clearTimeout(this.#lastMoment);
      stopWatching?.();
    };
  }

  #watched(child: ChildProcess, pid: number): Pick<MemoryWatch, 'processes' | 'sockets' | 'isToBlame'> {
    const { processes, sockets, isToBlame } = this.launch;
    return {
      processes: () => (processes === undefined ? [pid, ...descendantsOf(pid)] : [pid, ...processes(child)]),
      ...(sockets && { sockets }),
      ...(isToBlame && { isToBlame }),
    };
  }

  #ended(child: ChildProcess): Promise<number | NodeJS.Signals | Error> {
    return new Promise((resolve) => {
      let grace: NodeJS.Timeout | undefined;
      child.once('error', (error) => resolve(error));
      child.once('exit', () => {
        // What the command left running goes with it, whether or not it holds a pipe.
        this.launch.kill(child);
        this.#silentLooks = 0;
        grace = setInterval(() => {
          this.#silentLooks += 1;
          if (this.#pending > 0 || this.#silentLooks <= SILENT_LOOKS) return;
          child.stdout?.destroy();
          child.stderr?.destroy();
        }, LOOK_MS);
      });
      child.once('close', (code, signal) => {
        clearInterval(grace);
        resolve(code ?? signal ?? 1);
      });
    });
  }

  #describe(ending: number | NodeJS.Signals | Error, durationMs: number): ProcessEnding {
    if (typeof ending === 'object') return { kind: 'not-started', error: ending };
    for (const splitter of this.#splitters) splitter.end();
    const interruption = this.#interruption;
    switch (interruption?.kind) {
      case 'cancelled':
        return { kind: 'cancelled' };
      case 'not-saved':
        return { kind: 'not-saved', error: this.#sinkError ?? new Error('unknown') };
      case 'not-admitted':
        return { kind: 'not-admitted', why: interruption.why };
      case 'ended':
        return { kind: 'ended', why: interruption.why, output: this.#output() };
      case 'timeout':
      case 'memory':
        return { kind: interruption.kind, output: this.#output() };
      case undefined:
        return this.#exited(ending, durationMs);
    }
  }

  #exited(ending: number | NodeJS.Signals, durationMs: number): ProcessEnding {
    const signal = typeof ending === 'string' ? ending : undefined;
    const exitCode = typeof ending === 'string' ? 128 + constants.signals[ending] : ending;
    const begun = this.#gate?.isOpen ?? true;
    return { kind: 'exited', begun, exitCode, signal, output: this.#output(), durationMs };
  }

  #output(): CommandOutput {
    const budget = this.job.limits.maxOutputBytes;
    const [forStdout, forStderr] = shareBudget(budget, this.#stdout.total, this.#stderr.total);
    const stdout = this.#stdout.render(forStdout);
    const stderr = this.#stderr.render(forStderr);
    return { stdout: stdout.text, stderr: stderr.text, truncated: stdout.cut + stderr.cut > 0 };
  }
}
